"""Repositories: branches of a project, and the git objects behind them, which all projects share.

So a fork costs no copy, and a merge finds all that it needs. Pages and clones show only what a branch of their own
project reaches.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from dulwich.graph import find_merge_base
from dulwich.index import commit_tree
from dulwich.objects import Blob, Commit, ObjectID
from dulwich.refs import HEADREF, DictRefsContainer, Ref
from dulwich.repo import MemoryRepo

from cutscore.benchmarks.videowebarena.websites.git_host.diffs import FileDiff, diff_trees
from cutscore.benchmarks.videowebarena.websites.git_host.merging import MergedTree, merge_trees
from cutscore.benchmarks.videowebarena.websites.git_host.object_table import ObjectTable

FILE_MODE = 0o100644
SHORTEST_SHA = 7


@dataclass(frozen=True)
class Signature:
    """Who commits, and when."""

    name: str
    email: str
    when: datetime

    def sign(self, commit: Commit) -> None:
        """Make somebody the author of a commit."""
        commit.author = commit.committer = f"{self.name} <{self.email}>".encode()
        commit.author_time = commit.commit_time = int(self.when.timestamp())
        commit.author_timezone = commit.commit_timezone = 0


@dataclass(frozen=True)
class CommitView:
    """A commit as pages tell of it."""

    sha: str
    title: str
    body: str
    author: str
    email: str
    when: datetime
    parents: tuple[str, ...]

    @property
    def short(self) -> str:
        return self.sha[:8]

    @property
    def account(self) -> str:
        """The account whose address it was made with."""
        return self.email.partition("@")[0]


@dataclass(frozen=True)
class Repository:
    """The repository of one project."""

    db: sqlite3.Connection
    project: int

    @property
    def store(self) -> ObjectTable:
        """The objects of all repositories."""
        return ObjectTable(self.db)

    @property
    def branches(self) -> dict[str, str]:
        """The newest commit of each branch, by name."""
        rows = self.db.execute("SELECT name, sha FROM branch WHERE project = ? ORDER BY name", (self.project,))
        return {row["name"]: row["sha"] for row in rows}

    def find(self, ref: str) -> str | None:
        """Return the commit of a branch, or one of this project by the first characters of its name."""
        if ref in (branches := self.branches):
            return branches[ref]
        if len(ref) < SHORTEST_SHA:
            return None
        return next((sha for sha in self._ancestors(branches.values()) if sha.startswith(ref)), None)

    def split(self, written: str) -> tuple[str, str] | None:
        """Return ref and path of `fix/colour/css/site.css`, where the branch may have slashes, too."""
        written = written.strip("/")
        known = [name for name in self.branches if f"{written}/".startswith(f"{name}/")]
        ref = max(known, key=len) if known else written.partition("/")[0]
        return (ref, written.removeprefix(ref).strip("/")) if self.find(ref) else None

    def history(self, sha: str, path: str = "") -> list[CommitView]:
        """Return a commit and those before it, the newest first; with a path only those that changed it."""
        commits = sorted(map(self.commit, self._ancestors([sha])), key=lambda each: (each.when, each.sha), reverse=True)
        return [each for each in commits if self._changed(each, path)] if path else commits

    def commit(self, sha: str) -> CommitView:
        """Return one commit."""
        found = self._commit(sha)
        title, _, body = found.message.decode(errors="replace").strip().partition("\n")
        author, _, email = found.author.decode(errors="replace").removesuffix(">").partition(" <")
        when = datetime.fromtimestamp(found.author_time, UTC)
        return CommitView(sha, title, body.strip(), author, email, when, tuple(each.decode() for each in found.parents))

    def files(self, sha: str | None) -> dict[str, str]:
        """Return the files of a commit, path → id of the content; none before the first commit."""
        entries = self.store.iter_tree_contents(self._commit(sha).tree) if sha else ()
        return {entry.path.decode(): entry.sha.decode() for entry in entries if entry.path and entry.sha}

    def read(self, content: str) -> bytes:
        """Return the content of an id."""
        return bytes(self.store[ObjectID(content.encode())].as_raw_string())

    def changes(self, commit: CommitView) -> list[FileDiff]:
        """Return what a commit changed, against its first parent."""
        return diff_trees(self.files(next(iter(commit.parents), None)), self.files(commit.sha), self.read)

    def compare(self, target: str, source: str) -> list[FileDiff]:
        """Return what a source changed since it left its target."""
        return diff_trees(self.files(self.merge_base(target, source)), self.files(source), self.read)

    def ahead(self, target: str, source: str) -> list[CommitView]:
        """Return the commits of a source that its target has not, the newest first."""
        known = self._ancestors([target])
        return [each for each in self.history(source) if each.sha not in known]

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the newest commit that both have behind them."""
        found = find_merge_base(self.served(""), [ObjectID(one.encode()), ObjectID(other.encode())])
        return found[0].decode() if found else None

    def try_merge(self, target: str, source: str) -> MergedTree:
        """Return what merging a source would change in its target."""
        base = self.files(self.merge_base(target, source))
        return merge_trees(base, self.files(target), self.files(source), self.read)

    def write(
        self, branch: str, changes: Mapping[str, bytes | None], message: str, by: Signature, *, merged: str = ""
    ) -> str:
        """Commit changed files to a branch and return the commit; None removes a file, `merged` is a second parent."""
        parent = self.branches.get(branch)
        files = self.files(parent)
        for path, content in changes.items():
            if content is None:
                files.pop(path, None)
                continue
            self.store.add_object(blob := Blob.from_string(content))
            files[path] = blob.id.decode()
        made = Commit()
        made.tree = commit_tree(
            self.store, [(path.encode(), ObjectID(sha.encode()), FILE_MODE) for path, sha in files.items()]
        )
        made.parents = [ObjectID(each.encode()) for each in (parent, merged) if each]
        made.message = message.encode()
        by.sign(made)
        self.store.add_object(made)
        self.set_branch(branch, made.id.decode())
        return made.id.decode()

    def set_branch(self, name: str, sha: str) -> None:
        """Let a branch end at a commit."""
        self.db.execute("INSERT OR REPLACE INTO branch VALUES (?, ?, ?)", (self.project, name, sha))

    def served(self, default_branch: str) -> MemoryRepo:
        """Return the repository as `dulwich` knows one: with these objects and branches."""
        made = MemoryRepo()
        made.object_store = self.store  # type: ignore[assignment]
        refs = {Ref(f"refs/heads/{name}".encode()): sha.encode() for name, sha in self.branches.items()}
        made.refs = DictRefsContainer(refs)
        if default_branch:
            made.refs.set_symbolic_ref(HEADREF, Ref(f"refs/heads/{default_branch}".encode()))
        return made

    def _commit(self, sha: str) -> Commit:
        found = self.store[ObjectID(sha.encode())]
        assert isinstance(found, Commit)
        return found

    def _ancestors(self, shas: Iterable[str]) -> dict[str, None]:
        """Return commits and all before them, each once."""
        seen: dict[str, None] = {}
        waiting = list(shas)
        while waiting:
            if (sha := waiting.pop()) not in seen:
                seen[sha] = None
                waiting.extend(parent.decode() for parent in self._commit(sha).parents)
        return seen

    def _changed(self, commit: CommitView, path: str) -> bool:
        def under(sha: str | None) -> dict[str, str]:
            return {name: id_ for name, id_ in self.files(sha).items() if name == path or name.startswith(f"{path}/")}

        return under(commit.sha) != under(next(iter(commit.parents), None))
