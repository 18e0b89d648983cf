"""Names that hold for the whole package: a class name has one meaning, and docstrings say what a function returns."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "cutscore"
# "Give" and "Say" tell what a function does to its reader; "Return …", or what happens, is what one looks for.
UNWANTED = re.compile(r"(Give|Gives|Say|Says)\b")


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Parse every module, with its dotted name."""
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        yield ".".join(parts).removesuffix(".__init__"), ast.parse(path.read_bytes())


def test_a_class_name_has_one_meaning() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for module, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    twice = [f"{name} is a class of {' and '.join(where)}" for name, where in sorted(homes.items()) if len(where) > 1]
    assert not twice, "\n".join(["rename all but one:", *twice])


def test_docstrings_of_public_functions_say_what_is_returned() -> None:
    found = []
    for module, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                first = (ast.get_docstring(node) or "").partition("\n")[0]
                if UNWANTED.match(first):
                    found.append(f"{module}.{node.name}: {first}")
    assert not found, "\n".join(['write "Return …", or what happens:', *found])
