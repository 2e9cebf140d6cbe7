"""What file systems of fsspec are made with, and what went wrong at an address: one sentence that
says what to do, without secrets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from pocketindex.addresses import masked

WEB = ("http", "https")
_CONNECT, _SILENCE = 30, 60  # seconds

# What each kind of address needs beside fsspec.
_PACKAGES = {
    "http": "'pocketindex[url]'",
    "https": "'pocketindex[url]'",
    "s3": "s3fs",
    "gs": "gcsfs",
    "gcs": "gcsfs",
    "hf": "huggingface_hub",
    "az": "adlfs",
    "abfs": "adlfs",
    "sftp": "paramiko",
    "ssh": "paramiko",
}
_TIMES_OUT = ("Timeout", "TimeoutError", "TimedOut")
_NO_HOST = {"ClientConnectorError", "EndpointConnectionError", "ConnectionError", "ConnectError"}
_NO_HOST |= {"ConnectionRefusedError", "gaierror"}
_CUT = {"ClientPayloadError", "IncompleteRead", "IncompleteReadError", "ContentLengthError"}
_CUT |= {"ServerDisconnectedError", "ResponseStreamingError", "ConnectionResetError"}
_NO_KEY = {"NoCredentialsError", "PartialCredentialsError", "DefaultCredentialsError"}
_REFUSED, _MISSING = (401, 403, 407), (404, 410)  # statuses of HTTP
_CHECK = "check the address"
_KEY = f"give credentials as its file system wants them (docs/inputs.md), or {_CHECK}"
_PATH = f"{_CHECK}, or download the file and give its path"
_AGAIN = "run again, or download it and give the file"
_SLOW = (
    "the server took too long to answer; try again, or allow more time in the configuration of "
    "fsspec (docs/inputs.md)"
)
_TLS = f"{_CHECK}, or name the certificates that it needs with SSL_CERT_FILE (docs/inputs.md)"
_MOST = 300  # characters of what a library says


class Failure(NamedTuple):
    """kind: whether a "package" is missing, and if not, whether the reason "passes" or "stays";
    problem: a sentence.
    """

    kind: Literal["package", "passes", "stays"]
    problem: str


def system_options(scheme: str) -> dict[str, Any]:
    """Return what a file system is made with, beside what fsspec's configuration says.

    aiohttp ends an answer after five minutes, however fast it comes; a source may take hours. Bytes
    are asked for as they are, so that their number is that of the file.
    """
    if scheme not in WEB:
        return {}
    import aiohttp
    from fsspec.config import conf

    chosen = {**conf.get("http", {}), **conf.get("https", {})}
    client = chosen.get("client_kwargs", {})
    if not any("timeout" in name for name in client):
        timeout = aiohttp.ClientTimeout(total=None, connect=_CONNECT, sock_read=_SILENCE)
        client = {"timeout": timeout, **client}
    return {
        "client_kwargs": client,
        "headers": {"Accept-Encoding": "identity", **chosen.get("headers", {})},
    }


def failure(error: Exception, scheme: str, url: str) -> Failure:
    """Return what an exception of a file system means; url: the address, which no message shows."""
    errors = list(_chain(error))
    names = {kind.__name__ for one in errors for kind in type(one).__mro__}
    status = next((status for one in errors if (status := _status(one))), None)
    of_status = f" (HTTP status {status})" if status else ""
    if any(isinstance(one, ImportError) for one in errors):
        package = _PACKAGES.get(scheme)
        how = f"pip install {package}" if package else _said(error, url)
        return Failure("package", f"{scheme}:// addresses need another package: {how}")
    kinds: tuple[tuple[Literal["passes", "stays"], object, str], ...] = (
        ("passes", names & _CUT, f"ends early: the connection broke; {_AGAIN}"),
        ("stays", "Protocol not known" in str(error), f"fsspec knows no {scheme}://; {_PATH}"),
        ("stays", status in _REFUSED, f"the server refuses it{of_status}; {_KEY}"),
        ("stays", "PermissionError" in names, f"the server refuses it; {_KEY}"),
        ("stays", names & _NO_KEY, f"there are no credentials for it; {_KEY}"),
        ("stays", status in _MISSING, f"there is no such file{of_status}; {_CHECK}"),
        ("passes", status, f"the server answers with an error{of_status}; try again later"),
        ("passes", any(name.endswith(_TIMES_OUT) for name in names), _SLOW),
        (
            "passes",
            "SSLError" in names,
            f"no secure connection to its host ({_tls(errors)}); {_TLS}",
        ),
        ("passes", names & _NO_HOST, f"its host cannot be reached; {_CHECK} and the network"),
        ("stays", "FileNotFoundError" in names, f"there is no such file or folder; {_CHECK}"),
    )
    for kind, fits, problem in kinds:
        if fits:
            return Failure(kind, problem)
    return Failure("passes", f"cannot be read: {_said(error, url)}; {_CHECK}, or {_AGAIN}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and what it came from."""
    for _ in range(10):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    """Return the status of an answer of HTTP, as the libraries keep it."""
    answer = getattr(error, "response", None)
    if isinstance(answer, dict):
        answer = answer.get("ResponseMetadata", {}).get("HTTPStatusCode")
    else:
        answer = getattr(answer, "status_code", None)
    for status in (answer, getattr(error, "status", None)):
        if isinstance(status, int) and 400 <= status < 600:
            return status
    code = None if hasattr(error, "status") else getattr(error, "code", None)
    return code if isinstance(code, int) and 400 <= code < 600 else None


def _tls(errors: list[BaseException]) -> str:
    """Return why a connection with TLS was not made, as the module ssl says it."""
    said = (getattr(one, name, None) for one in errors for name in ("verify_message", "reason"))
    reason = next((one for one in said if isinstance(one, str) and one), "TLS")
    return reason.lower().replace("_", " ")


def _said(error: BaseException, url: str) -> str:
    """Return what an exception says, in one line, without the address in it."""
    text = " ".join((str(error) or type(error).__name__).split())
    text = masked(text.replace(url, "the address"))
    return text if len(text) <= _MOST else text[: _MOST - 3] + "..."
