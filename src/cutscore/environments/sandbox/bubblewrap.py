"""A box as words for bubblewrap: what is seen, what can be written, and as whom. Pure; nothing is started here.

Everything is shut that is not named: no network, no process of the machine, no home, no device but the harmless ones.
The agent is user 1000 without any capability, and root of nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutscore.environments.sandbox.layout import HOME, WORKSPACE

PROGRAM = "bwrap"
USER = 1000
# What programs of the machine need, as far as it is there: libraries, certificates, fonts. No account, no secret, no
# private key: who starts a box as root reads with root's rights what lies in it.
_PARTS = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "include", "share")
SYSTEM = (
    *(f"{root}/{part}" for root in ("/usr", "/usr/local") for part in _PARTS),
    *("/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted"),
    *("/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime"),
)
USR_LINKS = ("bin", "sbin", "lib", "lib32", "lib64")
ACCOUNTS = f"root:x:0:0:root:/root:/bin/sh\nagent:x:{USER}:{USER}:agent:{HOME}:/bin/bash\n"
HOSTS = "127.0.0.1 localhost\n::1 localhost\n"


@dataclass(frozen=True)
class Mount:
    """Something of the machine that is seen in the box: a file or a folder, under another name.

    Without a source it is an empty folder, into which others can be mounted.
    """

    source: Path | None
    target: str
    writable: bool = False


@dataclass(frozen=True)
class BoxView:
    """What is seen in a box.

    Args:
        workspace, home: Folders of the sample's own, which may be written.
        etc: A folder with `passwd`, `hosts` and `resolv.conf` for the box.
        mounts: Materials, the agent's program, tools; later ones lie over earlier ones.
        hidden: Folders of the machine that would be seen and must not be: the truth of an installed benchmark.
        network: It shares the network of the machine.
        scratch_bytes: How much `/tmp` holds, which lies in memory.
    """

    workspace: Path
    home: Path
    etc: Path
    mounts: tuple[Mount, ...] = ()
    hidden: tuple[Path, ...] = ()
    network: bool = False
    scratch_bytes: int = 1 << 30


def box_command(view: BoxView, argv: Sequence[str], env: Mapping[str, str], *, cwd: str = WORKSPACE) -> list[str]:
    """Return the command that runs a program in a box. What it may use is for whoever starts it to limit."""
    return [PROGRAM, *_bounds(view), *_sights(view), *_variables(env), "--chdir", cwd, "--", *argv]


def _bounds(view: BoxView) -> Iterator[str]:
    yield from ("--unshare-all", "--unshare-user", "--uid", str(USER), "--gid", str(USER), "--cap-drop", "ALL")
    yield from ("--die-with-parent", "--new-session", "--clearenv", "--hostname", "box")
    if view.network:
        yield "--share-net"


def _sights(view: BoxView) -> Iterator[str]:
    for path in SYSTEM:
        yield from ("--ro-bind-try", path, path)
    for name in USR_LINKS:
        yield from ("--symlink", f"usr/{name}", f"/{name}")
    for name in ("passwd", "hosts", "resolv.conf"):
        yield from ("--ro-bind", str(view.etc / name), f"/etc/{name}")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for scratch in ("/tmp", "/dev/shm"):  # noqa: S108  # the box's own
        yield from ("--size", str(view.scratch_bytes), "--tmpfs", scratch)
    yield from ("--bind", str(view.home), HOME, "--bind", str(view.workspace), WORKSPACE)
    shut = ["/", "/dev"]  # they lie in memory, which nobody is to fill unseen
    for mount in view.mounts:
        if mount.source is None:
            yield from ("--tmpfs", mount.target)
            shut.append(mount.target)
        else:
            yield from ("--bind" if mount.writable else "--ro-bind", str(mount.source), mount.target)
    for folder in view.hidden:
        yield from ("--tmpfs", str(folder))
        shut.append(str(folder))
    for place in shut:
        yield from ("--remount-ro", place)


def _variables(env: Mapping[str, str]) -> Iterator[str]:
    for name, value in env.items():
        yield from ("--setenv", name, value)


def find_seen(folders: Iterable[Path], seen: Sequence[str] = SYSTEM) -> tuple[Path, ...]:
    """Return those folders that lie among what is seen of the machine, to be hidden.

    >>> find_seen([Path("/usr/lib/python3/dist-packages/cutscore"), Path("/home/me/logs")])
    (PosixPath('/usr/lib/python3/dist-packages/cutscore'),)
    """
    return tuple(folder for folder in folders if any(folder.is_relative_to(root) for root in seen))
