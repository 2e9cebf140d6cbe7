"""Programs on Spark: by spark-submit, and on a cluster here of which a worker is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from places import ROOT

EXAMPLE = ROOT / "examples" / "spark_build.py"
QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
LOOPBACK = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
# A task that takes a little longer than its like runs twice, so that it is seen to change nothing.
SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.3",
    "spark.speculation.minTaskRuntime": "0ms",
}


def home() -> Path:
    """The folder of pyspark, which has all of Spark."""
    import pyspark

    return Path(pyspark.__file__).parent


def environment(folder: Path) -> dict[str, str]:
    """For a process of Spark, whose temporary files lie in a folder."""
    return {
        **os.environ,
        "SPARK_HOME": str(home()),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_HOSTNAME": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_DAEMON_MEMORY": "256m",
        "PYTHONWARNINGS": "ignore",
        "TMPDIR": str(folder / "tmp"),
    }


def submitted(
    folder: Path, master: str, arguments: Sequence[object], settings: dict[str, str]
) -> subprocess.Popen[str]:
    """Start the example on Spark. Its temporary files are in folder."""
    (folder / "tmp").mkdir(exist_ok=True)
    command: list[object] = [home() / "bin" / "spark-submit", "--master", master]
    command += ["--driver-memory", "1g"]
    for name, value in {**QUIET, **LOOPBACK, **settings}.items():
        command += ["--conf", f"{name}={value}"]
    return subprocess.Popen(
        [str(part) for part in (*command, EXAMPLE, *arguments)],
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Cluster:
    """A master, and workers of one core each. address: of the master."""

    def __init__(self, address: str, workers: list[subprocess.Popen[bytes]]) -> None:
        self.address, self._workers = address, workers

    def tasks(self, worker: int) -> list[int]:
        """The processes of a worker in which Python runs."""
        return [process for process in _below(self._workers[worker].pid) if _is_python(process)]

    def kill(self, worker: int) -> None:
        """Kill a worker with all that it has started, as a power cut does."""
        for process in [self._workers[worker].pid, *_below(self._workers[worker].pid)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


@contextlib.contextmanager
def cluster(folder: Path, workers: int = 2, memory: str = "1g") -> Iterator[Cluster]:
    """A cluster on loopback. folder: for its logs and temporary files."""
    port, started = _free_port(), list[subprocess.Popen[bytes]]()
    address = f"spark://127.0.0.1:{port}"
    for name in ("local", "work", "tmp"):
        (folder / name).mkdir(exist_ok=True)

    def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (folder / f"{name}.log").open("wb") as log:
            command = [str(home() / "bin" / "spark-class"), *arguments]
            process = subprocess.Popen(
                command, env=environment(folder), stdout=log, stderr=subprocess.STDOUT
            )
        started.append(process)
        return process

    deploy = "org.apache.spark.deploy"
    try:
        own = ["--host", "127.0.0.1", "--webui-port", "0"]
        start("master", f"{deploy}.master.Master", *own, "--port", str(port))
        _wait(lambda: "I have been elected leader" in (folder / "master.log").read_text())
        found = [
            start(
                f"worker-{number}",
                f"{deploy}.worker.Worker",
                *own,
                *("--cores", "1", "--memory", memory, address),
            )
            for number in range(workers)
        ]
        _wait(lambda: (folder / "master.log").read_text().count("Registering worker") == workers)
        yield Cluster(address, found)
    finally:
        for process in reversed(started):
            for one in [process.pid, *_below(process.pid)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            process.wait()


def killed_while_it_works(
    folder: Path, arguments: Sequence[object], settings: dict[str, str], after: float
) -> tuple[int, str, str]:
    """Run the example on a cluster of two workers, one of which is killed so many seconds after
    its first task has begun. Returns status, output and errors.
    """
    with cluster(folder) as own:
        process = submitted(folder, own.address, arguments, {**SPECULATION, **settings})
        _wait(lambda: bool(own.tasks(0)) or process.poll() is not None)
        time.sleep(after)
        was_at_work = process.poll() is None
        own.kill(0)
        out, err = process.communicate(timeout=1_800)
        assert was_at_work, f"the program had ended before the worker was killed: {err}"
        return process.returncode, out, err


def _wait(until: object, seconds: float = 600) -> None:
    assert callable(until)
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "what a cluster waits for has not come"
        time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return int(own.getsockname()[1])


def _below(process: int) -> list[int]:
    """The processes that a process has started, and those that these have."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        threads = os.listdir(f"/proc/{process}/task")
        children = [
            child
            for thread in threads
            for child in Path(f"/proc/{process}/task/{thread}/children").read_text().split()
        ]
    except OSError:
        return []
    return [one for child in children for one in (int(child), *_below(int(child)))]


def _is_python(process: int) -> bool:
    try:
        return (
            b"pyspark" in Path(f"/proc/{process}/cmdline").read_bytes()
            and b"java" not in (Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0])
        )
    except OSError:
        return False
