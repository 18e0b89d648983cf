"""The histories of repositories at the start: files that grow, commit by commit, into what they are."""

from collections.abc import Mapping
from datetime import datetime
from random import Random

from cutscore.benchmarks.videowebarena.websites.git_host.access import MAIL_HOST
from cutscore.benchmarks.videowebarena.websites.git_host.repositories import Repository, Signature

FIRST = "Initial commit"


def write_history(
    repository: Repository,
    files: Mapping[str, str],
    *,
    commits: int,
    committers: Mapping[str, int],
    names: Mapping[str, str],
    start: datetime,
    end: datetime,
    draw: Random,
) -> None:
    """Let files grow line by line over a number of commits, by people with weights, between two times."""
    lines = [(path, line) for path, text in files.items() for line in text.lstrip("\n").splitlines(keepends=True)]
    cuts = sorted(draw.sample(range(1, len(lines)), min(commits, len(lines)) - 1))
    times = sorted(start + (end - start) * draw.random() for _ in range(len(cuts) + 1))
    people = draw.choices(list(committers), list(committers.values()), k=len(cuts) + 1)
    grown: dict[str, str] = {}
    for number, (left, right) in enumerate(zip([0, *cuts], [*cuts, len(lines)], strict=True)):
        changed = dict.fromkeys(path for path, _ in lines[left:right])
        new = [path for path in changed if path not in grown]
        for path, line in lines[left:right]:
            grown[path] = grown.get(path, "") + line
        message = _message(number, list(changed), new, [line for _, line in lines[left:right]])
        repository.write(
            "main",
            {path: grown[path].encode() for path in changed},
            message,
            sign(people[number], names, times[number]),
        )


def sign(account: str, names: Mapping[str, str], when: datetime) -> Signature:
    """Return an account as the author of a commit."""
    return Signature(names[account], f"{account}@{MAIL_HOST}", when.replace(microsecond=0))


def _message(number: int, changed: list[str], new: list[str], lines: list[str]) -> str:
    if number == 0:
        return FIRST
    if new:
        return f"Add {new[-1]}"
    words = [" ".join(line.strip(" #-*`{}<>/;.\n").split()[:4]) for line in lines]
    about = next((each for each in reversed(words) if each), "")
    return f"Extend {changed[-1]}: {about}" if about else f"Tidy {changed[-1]}"
