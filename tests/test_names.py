"""Names that hold for the whole package: a class name has one meaning, and docstrings say what a function returns."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "cutscore"
# "Give" and "Say" tell what a function does to its reader; "Return …", or what happens, is what one looks for.
UNWANTED = re.compile(r"(Give|Gives|Say|Says)\b")


@cache
def definitions() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Read every module once: its classes, and its public functions with the first line of their docstrings."""
    classes, functions = list[tuple[str, str]](), list[tuple[str, str]]()
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef):
                classes.append((module, node.name))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                first = (ast.get_docstring(node) or "").partition("\n")[0]
                functions.append((f"{module}.{node.name}", first))
    return classes, functions


def test_a_class_name_has_one_meaning() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for module, name in definitions()[0]:
        homes[name].append(module)
    twice = [f"{name} is a class of {' and '.join(where)}" for name, where in sorted(homes.items()) if len(where) > 1]
    assert not twice, "\n".join(["rename all but one:", *twice])


def test_docstrings_of_public_functions_say_what_is_returned() -> None:
    found = [f"{name}: {first}" for name, first in definitions()[1] if UNWANTED.match(first)]
    assert not found, "\n".join(['write "Return …", or what happens:', *found])
