"""What the git host holds at the start: `contents.toml` as rows and commits."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from cutscore.benchmarks.videowebarena.websites.accounts import hash_password
from cutscore.benchmarks.videowebarena.websites.git_host.repositories import Repository
from cutscore.benchmarks.videowebarena.websites.git_host.seeded_history import sign, write_history
from cutscore.benchmarks.videowebarena.websites.state import START
from cutscore.benchmarks.videowebarena.websites.website import SeedContext

ACCOUNT = "byteblaze"
PASSWORD = "small-tools-2025"  # noqa: S105  # of a site on loopback that is thrown away
HISTORY_DAYS = 800  # that projects look back on
ISSUE_DAYS = 60  # in which the issues came


@dataclass(frozen=True)
class _Seeder:
    """Writes one project after another."""

    seeding: SeedContext
    names: Mapping[str, str]

    def add(self, table: str, **values: object) -> int:
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        written = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608  # names of our own tables
        made = self.seeding.db.execute(written, tuple(values.values()))
        return made.lastrowid or 0

    def add_project(self, told: Mapping[str, Any], drawn: Mapping[str, list[str]]) -> None:
        draw = self.seeding.draw
        namespace, name = told["path"].split("/")
        start = START - timedelta(days=HISTORY_DAYS * (0.3 + 0.7 * draw.random()))
        project = self.add(
            "project",
            path=told["path"],
            namespace=namespace,
            name=name,
            description=told["description"],
            visibility=told.get("visibility", "public"),
            created=_written(start),
            updated=_written(START - timedelta(hours=draw.uniform(1, 400))),
        )
        repository = Repository(self.seeding.db, project)
        write_history(
            repository,
            told["files"],
            commits=told["commits"],
            committers=told["committers"],
            names=self.names,
            start=start,
            end=START - timedelta(days=14),
            draw=draw,
        )
        for branch in told.get("branches", ()):
            repository.set_branch(branch, repository.branches["main"])
            by = sign(next(iter(told["committers"])), self.names, START - timedelta(days=13))
            draft = f"# Draft: {branch}\n\nWhat this branch is for.\n"
            repository.write(branch, {f"drafts/{branch.replace('/', '-')}.md": draft.encode()}, f"Begin {branch}", by)
        for account, role in told["members"].items():
            self.add("member", space=told["path"], account=account, role=role, since=_written(start))
        for account in draw.sample([each for each in self.names if each != ACCOUNT], told["stars"]):
            self.add("star", project=project, account=account)
        self._add_issues(project, told, drawn)
        for number, request in enumerate(told.get("merge_requests", ()), 1):
            self._add_merge_request(repository, number, request)

    def _add_issues(self, project: int, told: Mapping[str, Any], drawn: Mapping[str, list[str]]) -> None:
        draw = self.seeding.draw
        for name, colour in told["labels"]:
            self.add("label", project=project, name=name, colour=colour)
        for number, each in enumerate(told.get("milestones", ()), 1):
            dates = {"start_date": each["start"], "due_date": each["due"]}
            self.add(
                "milestone",
                project=project,
                number=number,
                title=each["title"],
                description=each["description"],
                **dates,
            )
        titles = draw.sample(
            [" ".join(each) for each in product(drawn["parts"], drawn["faults"])], told.get("draw_issues", 0)
        )
        # The written ones come last, so that a list begins with them.
        plain = [
            {
                "title": title,
                "author": draw.choice(drawn["writers"]),
                "labels": [draw.choice(told["labels"])[0]] if draw.random() < 0.8 else [],
                "state": "closed" if draw.random() < 0.4 else "opened",
            }
            for title in titles
        ]
        issues = [*plain, *reversed(told.get("issues", ()))]
        for number, issue in enumerate(issues, 1):
            created = START - timedelta(days=ISSUE_DAYS * (1 - number / (len(issues) + 1)))
            self._add_issuable(project, "issue", number, issue, created)

    def _add_merge_request(self, repository: Repository, number: int, told: Mapping[str, Any]) -> None:
        created = START - timedelta(days=12 - number)
        source, target = told["source"], told.get("target", "main")
        repository.set_branch(source, repository.branches[target])
        self._edit(repository, source, told["edit"], told["title"], sign(told["author"], self.names, created))
        if "clash" in told:
            owner = sign(ACCOUNT, self.names, created + timedelta(hours=5))
            self._edit(repository, target, told["clash"], "Choose a size for the title", owner)
        merge_commit = ""
        if told.get("state") == "merged":
            merged = repository.try_merge(repository.branches[target], repository.branches[source])
            by = sign(ACCOUNT, self.names, created + timedelta(hours=9))
            message = f"Merge branch '{source}' into '{target}'"
            merge_commit = repository.write(target, merged.changes, message, by, merged=repository.branches[source])
        branches = {"source_branch": source, "target_branch": target, "merge_commit": merge_commit}
        self._add_issuable(repository.project, "merge_request", number, told, created, **branches)

    def _edit(self, repository: Repository, branch: str, edit: list[str], message: str, by: Any) -> None:
        path, old, new = edit
        files = repository.files(repository.branches[branch])
        text = repository.read(files[path]).decode() if old else ""
        assert old in text, f"{path} has no '{old}'"
        repository.write(branch, {path: (text.replace(old, new, 1) if old else new).encode()}, message, by)

    def _add_issuable(
        self, project: int, kind: str, number: int, told: Mapping[str, Any], created: datetime, **branches: str
    ) -> None:
        comments = told.get("comments", ())
        milestone = self.seeding.db.execute(
            "SELECT id FROM milestone WHERE project = ? AND title = ?", (project, told.get("milestone", ""))
        ).fetchone()
        made = self.add(
            "issuable",
            project=project,
            kind=kind,
            number=number,
            title=told["title"],
            description=told.get("description", ""),
            author=told["author"],
            state=told.get("state", "opened"),
            created=_written(created),
            updated=_written(created + timedelta(hours=3 * len(comments))),
            due_date=told.get("due", ""),
            milestone=milestone["id"] if milestone else None,
            **branches,
        )
        for name in told.get("labels", ()):
            (label,) = self.seeding.db.execute(
                "SELECT id FROM label WHERE project = ? AND name = ?", (project, name)
            ).fetchone()
            self.add("issuable_label", issuable=made, label=label)
        for part, reason in (("assignee", "assigned you"), ("reviewer", "asks for your review")):
            for account in told.get(f"{part}s", ()):
                self.add("participant", issuable=made, part=part, account=account)
                if account != told["author"] and told.get("state", "opened") == "opened":
                    self.add(
                        "todo",
                        account=account,
                        issuable=made,
                        reason=reason,
                        by=told["author"],
                        created=_written(created),
                    )
        for hours, (author, text) in enumerate(comments, 1):
            self.add(
                "note", issuable=made, author=author, text=text, created=_written(created + timedelta(hours=3 * hours))
            )


def fill(seeding: SeedContext) -> None:
    """Fill the tables."""
    told = _contents()
    names = {name: full_name for name, full_name, _ in told["accounts"]}
    seeder = _Seeder(seeding, names)
    for name, full_name, location in told["accounts"]:
        joined = _written(START - timedelta(days=seeding.draw.randrange(900, 2500)))
        seeder.add("account", name=name, full_name=full_name, location=location, joined=joined)
    own = told[ACCOUNT]
    seeding.db.execute(
        "UPDATE account SET password = ?, bio = ?, status = ?, website = ? WHERE name = ?",
        (hash_password(PASSWORD, ACCOUNT), own["bio"], own["status"], own["website"], ACCOUNT),
    )
    for follower, followed in told["follows"]:
        seeder.add("follow", follower=follower, followed=followed)
    for project in told["project"]:
        seeder.add_project(project, told["drawn"])


@cache
def _contents() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("contents.toml").read_text(encoding="utf-8"))


def _written(when: datetime) -> str:
    return when.replace(microsecond=0).isoformat()
