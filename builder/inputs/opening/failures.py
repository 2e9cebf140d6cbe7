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


def failure(address: str, error: Exception, scheme: str, url: str) -> SourceError:
    """Return the error for an exception of a file system: Unreachable where its reason may pass.

    address: as messages show it; url: itself.
    """
    errors = list(_chain(error))
    names = {kind.__name__ for one in errors for kind in type(one).__mro__}
    status = next((status for one in errors if (status := _status(one))), None)
    of_status = f" (HTTP status {status})" if status else ""
    if any(isinstance(one, ImportError) for one in errors):
        package = _PACKAGES.get(scheme)
        how = f"pip install {package}" if package else _said(error, url)
        return NeedsPackage(address, f"{scheme}:// addresses need another package: {how}")
    for kind, fits, problem in (
        (Unreachable, names & _CUT, f"ends early: the connection broke; {_AGAIN}"),
        (SourceError, "Protocol not known" in str(error), f"fsspec knows no {scheme}://; {_PATH}"),
        (SourceError, status in _REFUSED, f"the server refuses it{of_status}; {_KEY}"),
        (SourceError, "PermissionError" in names, f"the server refuses it; {_KEY}"),
        (SourceError, names & _NO_KEY, f"there are no credentials for it; {_KEY}"),
        (SourceError, status in _MISSING, f"there is no such file{of_status}; {_CHECK}"),
        (Unreachable, status, f"the server answers with an error{of_status}; try again later"),
        (Unreachable, any(name.endswith(_TIMES_OUT) for name in names), _SLOW),
        (
            Unreachable,
            "SSLError" in names,
            f"no secure connection to its host ({_tls(errors)}); {_TLS}",
        ),
        (Unreachable, names & _NO_HOST, f"its host cannot be reached; {_CHECK} and the network"),
        (SourceError, "FileNotFoundError" in names, f"there is no such file or folder; {_CHECK}"),
    ):
        if fits:
            return kind(address, problem)
    return Unreachable(address, f"cannot be read: {_said(error, url)}; {_CHECK}, or {_AGAIN}")


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
