"""Six categories, 47 subcategories, and how other counts of them map onto these (`taxonomy.toml`)."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from cutscore.core.errors import UnknownName
from cutscore.core.frozen import FrozenModel, SafeName

Family = Literal["prompt_following", "reasoning", "perception"]
FAMILIES: Mapping[Family, str] = {
    "prompt_following": "prompt following (E.E. + P.R. + S.C.)",
    "reasoning": "physical and logical (P.S. + L.R.)",
    "perception": "perception (Perc.)",
}


class Subcategory(FrozenModel):
    """One kind of context and what is asked of it.

    Args:
        published: Its name in the published tree of 42; empty where the tree leaves it out.
        task: Its number among the seven tasks of Table 1.
    """

    code: SafeName
    title: str
    category: SafeName
    family: Family
    published: str
    task: int


class CaseCategory(FrozenModel):
    """One of the six, with the abbreviation of the paper's tables."""

    code: SafeName
    title: str
    short: str
    family: Family


@cache
def read_taxonomy() -> tuple[dict[str, CaseCategory], dict[str, Subcategory]]:
    """Return categories and subcategories by code, in the order of the paper's wheel."""
    with (Path(__file__).parent / "taxonomy.toml").open("rb") as stream:
        plain = tomllib.load(stream)
    categories = {
        code: CaseCategory(code=code, title=each["title"], short=each["short"], family=each["family"])
        for code, each in plain.items()
    }
    subcategories: dict[str, Subcategory] = {}
    for code, each in plain.items():
        for entry in each["subcategories"]:
            title = entry.get("title", entry["code"].replace("_", " "))
            told = {"title": title, "published": title, "task": each["task"], "family": each["family"]}
            subcategories[entry["code"]] = Subcategory.model_validate({**told, **entry, "category": code})
    return categories, subcategories


def find_subcategory(code: str) -> Subcategory:
    """Return a subcategory by its code; UnknownName with the nearest where there is none."""
    _, known = read_taxonomy()
    if code not in known:
        raise UnknownName.among("subcategory", code, known)
    return known[code]
