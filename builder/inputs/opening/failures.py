"""What went wrong at an address, in one sentence without secrets that says what to do."""

from __future__ import annotations

from collections.abc import Iterator

from pocketindex.addresses import masked
from pocketindex.builder.inputs.opening.elsewhere import Unreachable
from pocketindex.builder.inputs.source import NeedsPackage, SourceError

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
_KEY = ("NoCredentialsError", "PartialCredentialsError", "DefaultCredentialsError")
_KEY = "give credentials as its file system wants them (docs/inputs.md), or check the address"
_MOST = 300  # characters of what a library says


def failure(address: str, error: Exception, scheme: str, url: str) -> SourceError:
    """Return the error for an exception of a file system: Unreachable where its reason may pass.

    address: as messages show it; url: itself.
    """
    errors = list(_chain(error))
    names = {kind.__name__ for one in errors for kind in type(one).__mro__}
    status = next((status for one in errors if (status := _status(one))), None)
    of_status = f" (HTTP status {status})" if status else ""
    kind: type[SourceError] = SourceError
    if any(isinstance(one, ImportError) for one in errors):
        package = _PACKAGES.get(scheme)
        how = f"pip install {package}" if package else _said(error, url)
        kind, problem = NeedsPackage, f"{scheme}:// addresses need another package: {how}"
    elif names & _CUT:
        kind, problem = Unreachable, (
            f"ends early: the connection broke ({_said(error, url)}); run again, or download it "
            "and give the file"
        )
    elif "Protocol not known" in str(error):
        problem = f"fsspec knows no addresses {scheme}://; check the address, or give a path"
    elif status in (401, 403, 407) or "PermissionError" in names:
        problem = f"the server refuses it{of_status}; {_KEY}"
    elif names & _NO_KEY:
        problem = f"there are no credentials for it; {_KEY}"
    elif status in (404, 410):
        problem = f"there is no such file{of_status}; check the address"
    elif status:
        kind, problem = Unreachable, f"the server answers with an error{of_status}; try again later"
    elif any(name.endswith(_TIMES_OUT) for name in names):
        kind, problem = Unreachable, (
            "the server took too long to answer; try again, or allow more time in the "
            "configuration of fsspec (docs/inputs.md)"
        )
    elif names & _NO_HOST:
        kind, problem = (
            Unreachable,
            "its host cannot be reached; check the address and the network",
        )
    elif "FileNotFoundError" in names:
        problem = "there is no such file or folder; check the address"
    else:
        kind, problem = Unreachable, (
            f"cannot be read: {_said(error, url)}; check the address, or download it and give the "
            "file"
        )
    return kind(address, problem)


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


def _said(error: BaseException, url: str) -> str:
    """Return what an exception says, in one line, without the address in it."""
    text = " ".join((str(error) or type(error).__name__).split())
    text = masked(text.replace(url, "the address"))
    return text if len(text) <= _MOST else text[: _MOST - 3] + "..."
