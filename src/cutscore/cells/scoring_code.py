"""The code that decides a score: everything of ours, and of the benchmark's own package, that marking can reach.

Found by reading and not by running. A change in one metric makes only those benchmarks' runs new that use it. An import
inside a function counts, one for type checkers alone does not, and a module that is named in full in a string does:
that is how the decoding child is started.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import cutscore
from cutscore.core.frozen import digest_of
from cutscore.registry import Benchmark

# Files of a benchmark folder from which everything else is reached; what folds findings into scores is ours.
STARTS = ("dataset.py", "ask.py", "mark.py", "evidence.py", "environment/__init__.py")
FOLDING = "cells/marking.py"
OURS = Path(cutscore.__file__).parent


def code_digest(found: Benchmark) -> str:
    """Return the digest of all code that asks and marks for a benchmark."""
    starts = [*(found.folder / name for name in STARTS if (found.folder / name).is_file()), OURS / FOLDING]
    return reached_digest(starts, found)


def reached_digest(starts: Iterable[Path], found: Benchmark) -> str:
    """Return the digest of files and of everything that they import."""
    files = reached_from(starts, found)
    return digest_of([(name, hashlib.sha256(path.read_bytes()).hexdigest()) for name, path in files.items()])


def part_digest(found: Benchmark, part: str) -> str:
    """Return the digest of a part of the benchmark's folder and of all code that it reaches."""
    return reached_digest([found.folder / f"{part}.py"], found)


def reached_from(starts: Iterable[Path], found: Benchmark) -> dict[str, Path]:
    """Return every module that files import at any distance, themselves included, by name and sorted."""
    depth = found.package.count(".")
    roots = {"cutscore": OURS, found.package.partition(".")[0]: (found.folder, *found.folder.parents)[depth]}
    todo, reached, resolved = list(_names(starts, roots)), dict[str, Path](), set[str]()
    while todo:
        name, path = todo.pop()
        if name not in reached:
            reached[name] = path
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            # The disk is asked once for each name: most come from many files.
            named = _mentioned(path, path.stat().st_mtime_ns, package) - resolved
            resolved |= named
            todo += [(each, file) for each in named if (file := _file_of(each, roots)) is not None]
    return dict(sorted(reached.items()))


def _names(paths: Iterable[Path], roots: dict[str, Path]) -> Iterator[tuple[str, Path]]:
    for path in paths:
        top, root = next((top, root) for top, root in roots.items() if path.is_relative_to(root))
        yield ".".join([top, *path.relative_to(root).with_suffix("").parts]).removesuffix(".__init__"), path


def _file_of(name: str, roots: dict[str, Path]) -> Path | None:
    """Return the file of a module or package; None for a name that is neither, or that is not ours."""
    top, *parts = name.split(".")
    if top not in roots:
        return None
    place = roots[top].joinpath(*parts)
    if (package := place / "__init__.py").is_file():
        return package
    return module if parts and (module := place.with_suffix(".py")).is_file() else None


@cache
def _mentioned(path: Path, _changed_ns: int, package: str) -> frozenset[str]:
    """Name what a file imports, or names in full, and the packages around each, whose `__init__` runs as well.

    It is read once for as long as it is not changed.
    """
    names = [name.split(".") for name in set(_imports(ast.parse(path.read_bytes()), package))]
    return frozenset(".".join(parts[:end]) for parts in names for end in range(1, len(parts) + 1))


def _imports(node: ast.AST, package: str) -> Iterator[str]:
    """Name what code imports.

    >>> sorted(_imports(ast.parse("from . import mark; from ..words import stem; import cutscore.store"), "a.rooms"))
    ['a.rooms', 'a.rooms.mark', 'a.words', 'a.words.stem', 'cutscore.store']
    """
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        for other in node.orelse:
            yield from _imports(other, package)
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        around = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
        module = ".".join([*around, *([node.module] if node.module else [])])
        yield module
        yield from (f"{module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("cutscore."):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, package)
