"""Outside files that a card pins: fetched once, resumed when cut off, and used only if the hash is the card's.

A download grows in a hidden file beside its target and is moved into place when size and sha256 are right, so a
file under its own name is whole. Its licence is written beside it. Addresses are https, or http on this machine.
"""

import fcntl
import hashlib
import http.client
import ipaddress
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO
from urllib.parse import urlsplit

from cutscore.core.card import Asset
from cutscore.core.errors import BadInput, BrokenData, Busy, CutscoreError, NoRoom, RunBroken, Stopped
from cutscore.core.frozen import canonical_json

CHUNK_BYTES = 1 << 18
STALL_S = 60.0  # a server that says nothing for this long has hung up

Progress = Callable[[int, int], None]
Opener = Callable[[urllib.request.Request], Any]


def open_url(request: urllib.request.Request) -> Any:
    """Open an address and follow redirects, but never to plain http elsewhere or from elsewhere to this machine."""
    # A proxy cannot reach what runs on this machine.
    direct = [urllib.request.ProxyHandler({})] if _is_loopback(request.full_url) else []
    return urllib.request.build_opener(_Redirects(), *direct).open(request, timeout=STALL_S)


def fetch_asset(
    asset: Asset,
    *,
    into: Path,
    benchmark: str = "",
    source: Path | None = None,
    again: bool = False,
    offline: bool | None = None,
    progress: Progress | None = None,
    opener: Opener = open_url,
) -> Path:
    """Return the path of an asset's file, getting it first if it is not there.

    Args:
        asset: What the card pins.
        into: The benchmark's data folder.
        benchmark: Its name, for the next step that an error proposes.
        source: A file that the user already has; it is copied and nothing is downloaded.
        again: Replace a file that is there but wrong, instead of refusing it. A right one always stays.
        offline: Refuse to use the network; None asks the environment variable `CUTSCORE_OFFLINE`.
        progress: Told bytes so far and bytes in all.
        opener: Opens a request; only tests bring another.
    """
    target = into / asset.name
    if target.is_file() and source is None:
        fault = _fault(asset, target)
        if not fault:
            with suppress(OSError):  # a shared folder may be read-only; the card tells the licence, too
                _write_licence(asset, target, "found in place", replace=False)
            return target
        if not again:
            raise BrokenData(_asset_label(asset), fault, _fetch_command(benchmark, "--again"))
    if source is None:
        _check_download(asset, target, benchmark, offline)
    with _writing(asset, target.parent), _partial(asset, target) as stream:
        if source is None:
            _download(asset, stream, opener, progress)
        else:
            _copy(asset, stream, source, progress)
        stream.flush()
        os.fsync(stream.fileno())
        if fault := _fault(asset, Path(stream.name)):
            stream.truncate(0)
            wanted = f"give the right file, {source} is another" if source else _fetch_command(benchmark, "--again")
            raise BrokenData(_asset_label(asset), fault, wanted)
        os.replace(stream.name, target)
        _write_licence(asset, target, "given by hand" if source else asset.url)
    return target


def check_asset(asset: Asset, path: Path, *, benchmark: str = "") -> None:
    """Raise unless a file is the one that the card pins."""
    if not path.is_file():
        raise Stopped(_asset_label(asset), f"{path} is not there", _fetch_command(benchmark))
    if fault := _fault(asset, path):
        raise BrokenData(_asset_label(asset), fault, _fetch_command(benchmark, "--again"))


def _fault(asset: Asset, path: Path) -> str:
    """Return what is wrong with a file; nothing when it is the right one."""
    name = Path(asset.name).name
    if (size := path.stat().st_size) != asset.size_bytes:
        return f"{name} has {size} bytes, card pins {asset.size_bytes}"
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    if sha256 == asset.sha256:
        return ""
    shown = next(length for length in (4, 8, 16, 32, 64) if sha256[:length] != asset.sha256[:length])
    return f"{name} has sha256 {sha256[:shown]}…, card pins {asset.sha256[:shown]}…"


def _asset_label(asset: Asset) -> str:
    return f"asset '{asset.name}'"


def _fetch_command(benchmark: str, *flags: str) -> str:
    return f"run '{' '.join(['cutscore fetch', benchmark or 'BENCH', *flags])}'"


def _write_licence(asset: Asset, target: Path, source: str, *, replace: bool = True) -> None:
    """Write licence and origin beside the file, where whoever copies the folder will see them."""
    told = {"name": asset.name, "sha256": asset.sha256, "licence": asset.licence, "source": source}
    file = target.with_name(f"{target.name}.licence.json")
    if replace or not file.is_file():
        file.write_bytes(canonical_json(told) + b"\n")


# --- whether we may ---------------------------------------------------------------------------------------------


def _check_download(asset: Asset, target: Path, benchmark: str, offline: bool | None) -> None:
    if not asset.url:
        recipe = asset.recipe or "ask the author of the benchmark for it"
        raise Stopped(_asset_label(asset), "has no address to download from", f"{recipe}; then put it at {target}")
    if offline is None:
        offline = os.environ.get("CUTSCORE_OFFLINE", "").lower() not in ("", "0", "false", "no")
    if offline:
        go = f"put it at {target}, or go online and {_fetch_command(benchmark)}"
        raise Stopped(_asset_label(asset), "is not here and the network is switched off", go)
    if not _is_allowed(asset.url):
        raise BrokenData(
            _asset_label(asset), "its address is neither https nor on this machine", "correct it in the card"
        )


def _is_allowed(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(url)))
    except ValueError:
        return False


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _place(url: str) -> str:
    """Show where an address leads, without path, query or password: those may be secrets."""
    parts = urlsplit(url)
    return "".join(letter for letter in f"{parts.scheme}://{parts.hostname}" if letter.isprintable())


class _Redirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(  # noqa: PLR0917  the arguments are urllib's
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        # A far server that points to this machine wants us to touch what only we can reach.
        if not _is_allowed(newurl) or (_is_loopback(newurl) and not _is_loopback(req.full_url)):
            fact = f"sends us on to {_place(newurl)}, where no download may come from"
            raise BrokenData(_place(req.full_url), fact, "correct the address in the card")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


# --- bytes ------------------------------------------------------------------------------------------------------


@contextmanager
def _writing(asset: Asset, folder: Path) -> Iterator[None]:
    """Turn trouble with the disk into a sentence. Trouble with the network has its own."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        fact = f"cannot be written to {folder} ({error.strerror})"
        raise NoRoom(_asset_label(asset), fact, "make room there or choose another folder") from error


@contextmanager
def _partial(asset: Asset, target: Path) -> Iterator[BinaryIO]:
    """Open the growing file for this process alone.

    Its name holds the hash, so that a new version of the card never continues an old download. What has arrived
    stays for the next attempt; who finds it wrong empties it.
    """
    part = target.with_name(f".{target.name}.{asset.sha256[:12]}.part")
    while True:
        with open(part, "r+b", opener=_create) as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise Busy(
                    _asset_label(asset), "is being fetched by another process", "wait until it is done"
                ) from error
            # Between our open and our lock the other one may have moved this very file to its target.
            if not part.exists() or not os.path.samestat(part.stat(), os.fstat(stream.fileno())):
                continue
            try:
                yield stream
            except BaseException:
                if not stream.seek(0, os.SEEK_END):
                    part.unlink(missing_ok=True)
                raise
            return


def _create(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW, 0o666)


def _copy(asset: Asset, stream: BinaryIO, source: Path, progress: Progress | None) -> None:
    failed = BadInput(_asset_label(asset), f"{source} cannot be read", "check the path")
    try:
        incoming = source.open("rb")
    except OSError as error:
        raise failed from error
    with incoming:
        _write_chunks(asset, stream, _chunks(incoming, failed), 0, progress)


def _download(asset: Asset, stream: BinaryIO, opener: Opener, progress: Progress | None) -> None:
    what, size, have = _asset_label(asset), asset.size_bytes, stream.seek(0, os.SEEK_END)
    if have == size and size:
        return  # everything had arrived when the last attempt was killed
    have = have if have < size else 0
    request = urllib.request.Request(asset.url, headers={"User-Agent": "cutscore"})  # noqa: S310  it was checked
    if have:
        request.add_header("Range", f"bytes={have}-")
    with _open_response(asset, request, stream, opener) as response:
        if response.status != http.client.PARTIAL_CONTENT:
            have = 0  # a server that cannot resume sends everything
        elif not response.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
            raise RunBroken(what, f"{_place(asset.url)} sends another part than we asked for", "try again later")
        broken = RunBroken(what, "the download broke off", "run the same command again to resume")
        have = _write_chunks(asset, stream, _chunks(response, broken), have, progress)
    if have < size:
        raise RunBroken(what, f"broke off after {have} of {size} bytes", "run the same command again to resume")


def _open_response(asset: Asset, request: urllib.request.Request, stream: BinaryIO, opener: Opener) -> Any:
    what, place = _asset_label(asset), _place(asset.url)
    try:
        return opener(request)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
            stream.truncate(0)
            fact = f"{place} has fewer bytes than the {asset.size_bytes} that the card pins"
            raise BrokenData(what, fact, "tell the author of the benchmark") from error
        fact = f"{place} answers {error.code} {http.client.responses.get(error.code, '')}".rstrip()
        raise RunBroken(what, fact, "run the same command later, or tell the author of the benchmark") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        why = getattr(reason, "strerror", None) or type(reason).__name__
        raise RunBroken(what, f"{place} cannot be reached ({why})", "check the network and try again") from error


def _chunks(incoming: Any, failed: CutscoreError) -> Iterator[bytes]:
    try:
        while chunk := incoming.read(CHUNK_BYTES):
            yield chunk
    except (OSError, http.client.HTTPException) as error:
        raise failed from error


def _write_chunks(asset: Asset, stream: BinaryIO, chunks: Iterable[bytes], have: int, progress: Progress | None) -> int:
    """Write from a place on and give the bytes that are there then. What is longer than pinned is cut off."""
    what, size = _asset_label(asset), asset.size_bytes
    stream.seek(have)
    stream.truncate()
    if (free := shutil.disk_usage(Path(stream.name).parent).free) < size - have:
        raise NoRoom(what, f"needs {size - have} bytes, the disk has {free}", "make room or choose another folder")
    for chunk in chunks:
        have += len(chunk)
        if have > size:
            stream.truncate(0)
            raise BrokenData(what, f"is longer than the {size} bytes that the card pins", "tell the card's author")
        stream.write(chunk)
        if progress is not None:
            progress(have, size)
    return have
