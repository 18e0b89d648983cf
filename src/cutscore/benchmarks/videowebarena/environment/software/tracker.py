"""Trac with four tickets, a wiki page and a repository, on SQLite."""

import base64
import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cutscore.benchmarks.videowebarena.environment.software.site_server import (
    ACCOUNT,
    PASSWORD,
    SEEDED_AT,
    Application,
    SiteState,
    run_site,
)
from cutscore.core.errors import Stopped
from cutscore.process import ProgramLimits, run

GIT_S = 60.0

# Summary, component, priority, milestone, owner, what is wrong.
TICKETS = (
    ("Pump stops after an hour", "pump", "major", "1.0", "ruth", "It gets hot and stops."),
    ("Display shows the wrong day", "display", "minor", "1.1", "omar", "On Mondays it shows Sunday."),
    ("Valve drips when closed", "valve", "major", "", "lena", "One drop in a minute."),
    ("Manual lacks a chart", "display", "minor", "1.1", "omar", "The one of water per week."),
)
COMPONENTS, MILESTONES = ("display", "pump", "valve"), ("1.0", "1.1", "2.0")
PLAN = """= Release plan =
 * 1.0 has what is about pumps.
 * 1.1 has what is about displays.
 * 2.0 has what is about valves.
"""
FILES = {
    "README.txt": "Waters plants while nobody is at home.\n",
    "pump/settings.txt": "minutes = 45\nlitres = 3\n",
    "display/settings.txt": "minutes = 5\nbrightness = 70\n",
}


def make_tracker(folder: Path) -> tuple[Application, SiteState]:
    """Return Trac in a folder, seeded where it is not yet."""
    home = folder / "trac"
    state = SiteState(home / "db" / "trac.db", home / "files")
    if not state.is_kept:
        _seed(home, folder / "repository")
    os.environ["TRAC_ENV"] = str(home)
    from trac.web.main import dispatch_request

    return with_login(dispatch_request), state


def with_login(application: Application) -> Application:
    """Ask for account and password at `/login`, as a web server before Trac does."""
    wanted = "Basic " + base64.b64encode(f"{ACCOUNT}:{PASSWORD}".encode()).decode()

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/login":
            if environ.get("HTTP_AUTHORIZATION") != wanted:
                start_response("401 Unauthorized", [("WWW-Authenticate", 'Basic realm="tickets"')])
                return [b"account and password, please"]
            environ["REMOTE_USER"] = ACCOUNT
        return application(environ, start_response)

    return answer


def _seed(home: Path, repository: Path) -> None:
    from trac.env import Environment
    from trac.perm import PermissionSystem
    from trac.ticket.model import Component, Milestone, Ticket
    from trac.versioncontrol.api import DbRepositoryProvider
    from trac.wiki.model import WikiPage

    _make_repository(repository)
    options = [
        ("project", "name", "Garden pump"),
        ("trac", "database", "sqlite:db/trac.db"),
        ("components", "tracopt.versioncontrol.git.*", "enabled"),
        ("logging", "log_type", "none"),
        ("trac", "default_timezone", "GMT"),
    ]
    env = Environment(str(home), create=True, options=options, default_data=True)
    PermissionSystem(env).grant_permission(ACCOUNT, "TRAC_ADMIN")
    for model, names in ((Component, COMPONENTS), (Milestone, MILESTONES)):
        for old in list(model.select(env)):
            old.delete()
        for name in names:
            new = model(env)
            new.name = name
            new.insert()
    at = datetime.fromtimestamp(SEEDED_AT, UTC)
    for number, (summary, component, priority, milestone, owner, text) in enumerate(TICKETS):
        ticket = Ticket(env)
        told = {"summary": summary, "component": component, "priority": priority, "milestone": milestone}
        for name, value in {**told, "owner": owner, "description": text, "reporter": "ruth", "type": "defect"}.items():
            ticket[name] = value
        ticket["status"] = "new"
        ticket.insert(when=at + timedelta(hours=number))
    page = WikiPage(env, "ReleasePlan")
    page.text = PLAN
    page.save("ruth", "", t=at)
    DbRepositoryProvider(env).add_repository("", str(repository / ".git"), "git")
    env.shutdown()


def _make_repository(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    when = f"{SEEDED_AT} +0000"
    who = {"GIT_AUTHOR_NAME": "Ruth", "GIT_AUTHOR_EMAIL": "ruth@example.org", "GIT_AUTHOR_DATE": when}
    who |= {"GIT_COMMITTER_NAME": "Ruth", "GIT_COMMITTER_EMAIL": "ruth@example.org", "GIT_COMMITTER_DATE": when}
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "Pump and display")):
        ended = run(["git", *words], limits=ProgramLimits(wall_s=GIT_S), cwd=folder, env={**os.environ, **who})
        if not ended.ok:
            raise Stopped("git", f"failed: {ended.err.decode(errors='replace')[-200:]}", "install git, or mend it")


if __name__ == "__main__":
    run_site(make_tracker)
