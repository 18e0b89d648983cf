"""The system's Chromium as a program that runs: found, started with its own sandbox, reached by its debugging port.

Root cannot have that sandbox, so for root it runs as `nobody`, without any capability and with files of its own. Where
no sandbox can be made, nothing is started.
"""

import os
import pwd
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.errors import RunBroken, Stopped
from cutscore.environments.browser.guard import BLANK, resolver_rules
from cutscore.process import Service, bare_env

VARIABLE = "CUTSCORE_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_S = 60.0
HEAP_MB = 2048  # JavaScript of one page; a page that wants more crashes alone
USER = "nobody"
_READY = "DevTools listening on "
# The same page gives the same pixels, nothing is fetched that no page asked for, and background tabs work as others do.
SWITCHES = (
    *("--headless", "--hide-scrollbars", "--mute-audio", "--no-first-run", "--no-default-browser-check"),
    *("--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps"),
    *("--disable-extensions", "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--no-pings"),
    *("--disable-background-timer-throttling", "--disable-renderer-backgrounding"),
    *("--disable-backgrounding-occluded-windows", "--disable-back-forward-cache", "--disable-popup-blocking"),
    *("--disable-breakpad", "--disable-crash-reporter", "--metrics-recording-only", "--password-store=basic"),
    *("--disable-quic", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--lang=en-US"),
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,InterestFeedContentSuggestions",
    f"--js-flags=--max-old-space-size={HEAP_MB}",
)


@dataclass(frozen=True)
class RunningChromium:
    """A Chromium that answers.

    Args:
        endpoint: Where it is reached by the DevTools protocol.
        folder: Its own, which it may write.
        user: Who it runs as.
    """

    service: Service
    endpoint: str
    folder: Path
    user: str

    def make_folder(self, name: str) -> Path:
        """Return a new folder into which this Chromium may write."""
        made = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))
        _hand_over(made)
        return made

    def close(self) -> None:
        """End it with all that it has started, and remove its files."""
        self.service.close(grace=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def find_chromium() -> str:
    """Return the program; Stopped where there is none."""
    named = os.environ.get(VARIABLE, "")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        fact = f"'{named}' of {VARIABLE} is no program" if named else "is not installed"
        raise Stopped("Chromium", fact, f"install it ('apt-get install chromium'), or set {VARIABLE}")
    return found


def start_chromium(places: Iterable[str], more_switches: Iterable[str] = ()) -> RunningChromium:
    """Start a Chromium that finds these hosts, or hosts with ports, and no others; blocks until it answers.

    Raises:
        Stopped: It is not there, or its sandbox cannot be made on this machine.
        RunBroken: It does not answer.
    """
    program = find_chromium()
    folder = Path(tempfile.mkdtemp(prefix="cutscore-browser-"))
    logs = folder / "logs"
    logs.mkdir()
    switches = [*SWITCHES, f"--host-resolver-rules={resolver_rules(places)}", f"--user-data-dir={folder / 'profile'}"]
    command = [*_as_nobody(folder), program, *switches, *more_switches, "--remote-debugging-port=0", BLANK]
    _hand_over(folder)
    env = {**bare_env(), "HOME": str(folder), "TMPDIR": str(folder), "TZ": "UTC"}
    service = Service(command, logs=logs, env=env, shared=True)
    try:
        service.wait_until_ready(_READY, timeout_s=START_S)
    except BaseException as error:
        said = service.logs[1].read_text(errors="replace")
        service.close(grace=False)
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, RunBroken) and "sandbox" in said:
            next_step = (
                "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or run in a container that does"
            )
            raise Stopped("Chromium", "cannot make its sandbox on this machine", next_step) from error
        raise
    found = re.search(rf"{_READY}(ws://\S+)", service.logs[1].read_text(errors="replace"))
    user = USER if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    return RunningChromium(service, found[1] if found else "", folder, user)


def _as_nobody(folder: Path) -> list[str]:
    """Return the words that start a program without the rights of root; none where we are not root."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        raise Stopped("Chromium", "is not run as root, and 'setpriv' is missing", "install util-linux, or be no root")
    account = pwd.getpwnam(USER)
    drop = ("--clear-groups", "--bounding-set", "-all", "--inh-caps", "-all", "--no-new-privs")
    # Real-time threads that wait for each other starve a machine of two processors, so that right is taken as well.
    humble = ("sh", "-c", 'ulimit -r 0 2>/dev/null; exec "$@"', "sh")
    return ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", *drop, *humble]


def _hand_over(folder: Path) -> None:
    if os.geteuid() == 0:
        account = pwd.getpwnam(USER)
        os.chown(folder, account.pw_uid, account.pw_gid)
