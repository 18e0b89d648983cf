"""clvg: six categories, 47 subcategories, and the counts of others that map onto them."""

from collections import Counter

import pytest

from cutscore.benchmarks.clvg.dataset import GenerationCase, strata
from cutscore.benchmarks.clvg.taxonomy import find_subcategory, read_taxonomy
from cutscore.benchmarks.clvg.weaknesses import find_weakness, read_catalogue
from cutscore.core.errors import UnknownName
from cutscore.core.files import FileRef


def test_the_wheel_has_47_subcategories_the_tree_42_and_table_1_seven_tasks() -> None:
    categories, known = read_taxonomy()
    assert (len(categories), len(known)) == (6, 47)
    counts = Counter(each.category for each in known.values())
    assert list(counts.values()) == [8, 11, 4, 11, 9, 4]
    assert len({(each.category, each.published) for each in known.values() if each.published}) == 42
    assert sorted({each.task for each in known.values()}) == [1, 2, 3, 4, 5, 6, 7]


def test_a_subcategory_that_nobody_knows_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'denoising'"):
        find_subcategory("denoise")
    with pytest.raises(UnknownName, match="did you mean 'lost_momentum'"):
        find_weakness("lost_moment")


def test_every_family_has_weaknesses() -> None:
    assert {each.family for each in read_catalogue().values()} == {"prompt_following", "reasoning", "perception"}


def test_strata_say_what_a_context_holds() -> None:
    files = [
        FileRef(name=f"{number}.{kind.rpartition('/')[2]}", sha256=str(number) * 64, size_bytes=1, media_type=kind)
        for number, kind in enumerate(("video/mp4", "image/png", "image/png", "audio/wav"))
    ]
    case = GenerationCase(
        id="a", cluster="a", subcategory="composition", instruction="Do.", files=tuple(files), shots=1, subjects=4
    )
    assert strata(case) == {
        "category": "partial_reference",
        "subcategory": "composition",
        "family": "prompt_following",
        "modalities": "text+image+audio+video",
        "references": "3 or more",
        "shots": "1",
        "subjects": "3 or more",
    }


def test_a_part_cannot_name_a_file_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"names file 'b.png', which is not among its files"):
        GenerationCase(
            id="a",
            cluster="a",
            subcategory="composition",
            instruction="Do.",
            context=[{"role": "style", "file": "b.png"}],
        )
