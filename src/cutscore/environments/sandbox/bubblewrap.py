"""A box as words for bubblewrap: what is seen, what can be written, and as whom. Pure; nothing is started here.

Everything is shut that is not named: no network, no process of the machine, no home, no device but the harmless ones.
The agent is user 1000 without any capability, and root of nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutscore.environments.sandbox.layout import HOME, WORKSPACE

PROGRAM = "bwrap"
USER = 1000
# What programs of the machine need, as far as it is there: libraries, certificates, fonts. No account, no secret.
SYSTEM = ("/usr", "/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime")
USR_LINKS = ("bin", "sbin", "lib", "lib32", "lib64")
ACCOUNTS = f"root:x:0:0:root:/root:/bin/sh\nagent:x:{USER}:{USER}:agent:{HOME}:/bin/bash\n"
HOSTS = "127.0.0.1 localhost\n::1 localhost\n"


@dataclass(frozen=True)
class Mount:
    """Something of the machine that is seen in the box: a file or a folder, under another name."""

    source: Path
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
    yield from ("--proc", "/proc", "--dev", "/dev", "--size", str(view.scratch_bytes), "--tmpfs", "/tmp")  # noqa: S108
    yield from ("--bind", str(view.home), HOME, "--bind", str(view.workspace), WORKSPACE)
    for mount in view.mounts:
        yield from ("--bind" if mount.writable else "--ro-bind", str(mount.source), mount.target)
    for folder in view.hidden:
        yield from ("--tmpfs", str(folder), "--remount-ro", str(folder))


def _variables(env: Mapping[str, str]) -> Iterator[str]:
    for name, value in env.items():
        yield from ("--setenv", name, value)


def hide_package(package: Path, seen: Sequence[str] = SYSTEM) -> tuple[Path, ...]:
    """Return the folder to hide where our own package, with the truth of its starters, lies among what is seen.

    >>> hide_package(Path("/usr/lib/python3/dist-packages/cutscore"))
    (PosixPath('/usr/lib/python3/dist-packages/cutscore'),)
    >>> hide_package(Path("/home/me/.venv/lib/python3.11/site-packages/cutscore"))
    ()
    """
    return (package,) if any(package.is_relative_to(root) for root in seen) else ()
