"""Benchmarks are found by their cards. The packages here are real: on sys.path, with a dist-info that Python reads."""

import importlib.machinery
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cutscore import registry
from cutscore.core.errors import BadInput, BrokenCard, BrokenData, MissingExtra, Stopped, UnknownName
from cutscore.registry import benchmark, benchmarks, broken_cards, plugins

CARD = """
name = "{name}"
title = "A title"
about = "What it asks."
version = "1"
licence = "CC0-1.0"
headline = "accuracy"
[scores.accuracy]
about = "Right answers."
[splits]
test = 3
"""


class Site:
    """A folder of installed packages, first on sys.path."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def install(self, dist: str, group: str, *entries: str) -> None:
        self.write(f"{dist}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {dist}\nVersion: 1.0\n")
        self.write(f"{dist}-1.0.dist-info/entry_points.txt", f"[{group}]\n" + "\n".join(entries) + "\n")

    def bench(self, name: str, package: str, *, dist: str = "", card: str = CARD, code: str = "") -> Path:
        folder = package.replace(".", "/")
        for depth in range(1, len(package.split(".")) + 1):
            self.write("/".join(package.split(".")[:depth]) + "/__init__.py", code)
        file = self.write(f"{folder}/benchmark.toml", card.format(name=name))
        self.install(dist or package.partition(".")[0], "cutscore.benchmarks", f"{name} = {package}")
        return file


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Site(tmp_path)
    for name in set(sys.modules) - before:
        if name.startswith("site_"):
            del sys.modules[name]


def the_only_fault() -> BrokenCard:
    (fault,) = [fault for fault in broken_cards() if "site_" in str(fault) or "'mine'" in str(fault)]
    return fault


# --- listing


def test_a_package_with_an_entry_point_is_a_benchmark(site: Site) -> None:
    file = site.bench("mine", "site_a.mybench")
    found = benchmarks()["mine"]
    assert (found.name, found.package, found.folder) == ("mine", "site_a.mybench", file.parent)
    assert found.card.splits == {"test": 3}
    assert benchmark("mine") == found


def test_listing_runs_no_code_of_the_benchmark(site: Site) -> None:
    site.bench("mine", "site_a.deep.mybench", code="raise RuntimeError('imported')")
    site.write("site_a/deep/mybench/mark.py", "raise RuntimeError('imported')")
    assert "mine" in benchmarks()
    assert not [name for name in sys.modules if name.startswith("site_a")]
    with pytest.raises(RuntimeError, match="imported"):
        benchmark("mine").part("mark")


def test_the_package_itself_may_be_the_folder(site: Site) -> None:
    site.bench("mine", "site_a")
    assert benchmark("mine").folder == site.root / "site_a"


def test_what_is_installed_while_we_run_is_found(site: Site) -> None:
    assert "mine" not in benchmarks()
    site.bench("mine", "site_a")
    assert "mine" in benchmarks()
    shutil.rmtree(site.root / "site_a-1.0.dist-info")
    assert "mine" not in benchmarks()


def test_a_namespace_package_is_searched_in_all_its_places(
    site: Site, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first place on the path has `site_ns/other` only, the second has the benchmark; neither has `__init__`."""
    second = Site(tmp_path_factory.mktemp("second"))
    monkeypatch.syspath_prepend(str(second.root))
    monkeypatch.syspath_prepend(str(site.root))
    site.write("site_ns/other/__init__.py", "")
    card = second.write("site_ns/mybench/benchmark.toml", CARD.format(name="mine"))
    second.write("site_ns/mybench/mark.py", "VALUE = 7")
    second.install("site_ns", "cutscore.benchmarks", "mine = site_ns.mybench")
    assert benchmark("mine").folder == card.parent
    assert benchmark("mine").part("mark").VALUE == 7


def test_an_editable_install_is_found_through_its_finder(
    site: Site, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editable installs put a finder on sys.meta_path; its places may hold names that are no folders."""
    source = Site(tmp_path_factory.mktemp("checkout"))
    card = source.write("src/site_edit/mybench/benchmark.toml", CARD.format(name="mine"))
    site.install("site_edit", "cutscore.benchmarks", "mine = site_edit.mybench")

    class Finder:
        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
            if name != "site_edit":
                return None
            spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = ["__editable__.finder.__path_hook__", str(card.parent.parent)]
            return spec

    monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])
    assert benchmark("mine").folder == card.parent


def test_every_folder_of_ours_with_a_card_is_a_benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = Site(tmp_path)
    monkeypatch.setattr(registry, "__file__", str(tmp_path / "registry.py"))
    ours.write("benchmarks/bars/benchmark.toml", CARD.format(name="bars"))
    ours.write("benchmarks/no_card/mark.py", "")
    ours.write("benchmarks/inspect_tasks.py", "")
    assert list(benchmarks()) == ["bars"]
    assert benchmark("bars").package == "cutscore.benchmarks.bars"


def test_a_wrong_name_offers_a_near_one(site: Site) -> None:
    site.bench("mine", "site_a.mybench")
    with pytest.raises(UnknownName, match=r"^no benchmark 'minne'; did you mean 'mine'\?$"):
        benchmark("minne")


# --- broken cards


@pytest.mark.parametrize(
    ("card", "fact"),
    [
        ("name = [", "is not TOML (Invalid value (at end of document)); correct that line"),
        (CARD.replace('title = "A title"', ""), "lacks the field 'title'; add it"),
        (CARD.replace("title =", "titel ="), "has a field 'titel' that no card has; did you mean 'title'?"),
        ("zzz = 1\n" + CARD, "has a field 'zzz' that no card has; remove it"),
        (CARD.replace('about = "R', 'floor = "secret"\nabout = "R'), "field 'scores.accuracy.floor': input"),
        (CARD.replace('headline = "accuracy"', 'headline = "f1"'), "headline 'f1' is not among the scores: accuracy"),
        (
            CARD.replace('"{name}"', '"other"'),
            "names the benchmark 'other', but it is installed as 'mine'; make",
        ),
        ('"a\\u001b[31m" = 1\n' + CARD, "has a field 'a?[31m' that no card has; remove it"),
        ("x = " + "[" * 9999, "is nested too deeply; a card has two levels"),
        (
            CARD + '[[assets]]\nname = "../up"\nsha256 = "' + "0" * 64 + '"\nsize_bytes = 1\nlicence = "CC0-1.0"\n',
            "field 'assets.0.name': '../up' is not a plain relative path; correct it",
        ),
    ],
)
def test_a_broken_card_is_left_out_and_says_why(site: Site, card: str, fact: str) -> None:
    site.bench("good", "site_good.mybench")
    file = site.bench("mine", "site_bad.mybench", card=card)
    assert "good" in benchmarks()
    assert "mine" not in benchmarks()
    said = str(the_only_fault())
    assert said.startswith(f"{file}: ")
    assert fact in said
    assert "secret" not in said
    with pytest.raises(BrokenCard):
        benchmark("mine")


def test_a_card_that_is_not_text(site: Site) -> None:
    file = site.bench("mine", "site_bad.mybench")
    file.write_bytes(b"\xff\xfe")
    assert str(the_only_fault()) == f"{file}: is not UTF-8 text; save it as UTF-8"


def test_a_card_that_is_a_pipe_is_not_waited_for(site: Site) -> None:
    file = site.bench("mine", "site_bad.mybench")
    file.unlink()
    os.mkfifo(file)
    assert str(the_only_fault()) == f"{file}: is missing or not a file; add a card like that of colorbars"


def test_a_folder_without_a_card(site: Site) -> None:
    site.bench("mine", "site_bad.mybench").unlink()
    assert "is missing or not a file" in str(the_only_fault())


def test_an_unreadable_card(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    file = site.bench("mine", "site_bad.mybench")
    file.chmod(0)

    read_text = Path.read_text

    def denied(self: Path, encoding: str) -> str:
        if self == file:
            raise PermissionError(13, "Permission denied")
        return read_text(self, encoding=encoding)

    if os.access(file, os.R_OK):  # root reads everything
        monkeypatch.setattr(Path, "read_text", denied)
    assert str(the_only_fault()) == f"{file}: cannot be read (Permission denied); make it readable"


@pytest.mark.parametrize(
    "value", ["site_gone.mybench", "site_a.gone", "site_a.mybench:card", "site_a..mybench", "../x"]
)
def test_an_entry_point_that_leads_nowhere(site: Site, value: str) -> None:
    site.bench("other", "site_a.mybench")
    site.install("site_b", "cutscore.benchmarks", f"mine = {value}")
    assert str(the_only_fault()) == (
        f"benchmark 'mine': its entry point names '{value}', which is not a folder of an installed package; "
        "write it as mypkg.mybench, the folder with benchmark.toml"
    )


def test_a_loaded_module_without_a_spec_breaks_nothing(site: Site) -> None:
    site.install("site_b", "cutscore.benchmarks", "mine = site_odd.mybench")
    sys.modules["site_odd"] = type(sys)("site_odd")
    assert "'site_odd.mybench', which is not a folder" in str(the_only_fault())


def test_two_packages_with_one_name_are_both_left_out(site: Site) -> None:
    site.bench("mine", "site_a.mybench")
    site.bench("mine", "site_b.mybench")
    assert "mine" not in benchmarks()
    with pytest.raises(BrokenCard) as caught:
        benchmark("mine")
    said = str(caught.value)
    assert said.startswith("benchmark 'mine': is offered by 2 packages: site_")
    assert "site_a.mybench" in said
    assert said.endswith("; uninstall all but one")


def test_one_package_seen_twice_is_one_benchmark(site: Site) -> None:
    site.bench("mine", "site_a.mybench")
    site.install("site_a_old", "cutscore.benchmarks", "mine = site_a.mybench")
    assert "mine" in benchmarks()


# --- parts


def test_a_part_is_imported_when_asked_for(site: Site) -> None:
    site.bench("mine", "site_a.mybench")
    site.write("site_a/mybench/mark.py", "VALUE = 7")
    found = benchmark("mine")
    assert "site_a.mybench.mark" not in sys.modules
    assert found.part("mark").VALUE == 7


def test_an_environment_may_be_a_folder(site: Site) -> None:
    site.bench("mine", "site_a.mybench")
    site.write("site_a/mybench/environment/__init__.py", "VALUE = 8")
    assert benchmark("mine").part("environment").VALUE == 8


def test_a_missing_part_names_the_file_to_add(site: Site) -> None:
    file = site.bench("mine", "site_a.mybench")
    with pytest.raises(BrokenData) as caught:
        benchmark("mine").part("mark")
    assert str(caught.value) == f"benchmark 'mine': has no mark.py; add {file.parent / 'mark.py'}"


def test_an_unknown_part(site: Site) -> None:
    site.bench("mine", "site_a.mybench")
    with pytest.raises(UnknownName, match=r"no part of a benchmark 'marks'; did you mean 'mark'\?"):
        benchmark("mine").part("marks")


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        (
            "import site_missing_lib.sub",
            Stopped,
            "mark.py needs the module 'site_missing_lib', which is not",
        ),
        ("import site_a.gone", BrokenData, "mark.py imports 'site_a.gone', which does not exist; correct its imports"),
        (
            "from cutscore.core.card import Nope",
            BrokenData,
            "mark.py cannot be imported (cannot import name 'Nope'",
        ),
        (
            "from cutscore.core.errors import MissingExtra\nraise MissingExtra.of('VMAF', 'vmaf')",
            MissingExtra,
            "VMAF needs an extra: pip install 'cutscore[vmaf]'",
        ),
    ],
)
def test_a_part_that_cannot_be_imported(site: Site, code: str, kind: type[BadInput], said: str) -> None:
    site.bench("mine", "site_a.mybench")
    site.write("site_a/mybench/mark.py", code)
    with pytest.raises(kind) as caught:
        benchmark("mine").part("mark")
    assert type(caught.value) is kind
    assert said in str(caught.value)


def test_a_module_that_an_extra_brings_is_a_missing_extra(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["click<9", "site-lib>=1; extra == 'dev'", 'Site-Lib>=1; python_version > "3" and extra == "web"']
    monkeypatch.setattr(registry, "requires", lambda _: wanted)
    site.bench("mine", "site_a.mybench")
    site.write("site_a/mybench/mark.py", "import site_lib")
    with pytest.raises(MissingExtra, match=r"^mark of benchmark 'mine' needs an extra: pip install 'cutscore\[web\]'$"):
        benchmark("mine").part("mark")


def test_the_card_of_our_own_benchmark_knows_the_extra(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.bench("mine", "site_a.mybench", card='extras = ["ocr", "speech"]\n' + CARD)
    site.write("site_a/mybench/mark.py", "import site_missing_lib")
    found = benchmark("mine")
    monkeypatch.setattr(registry.importlib, "import_module", lambda _: __import__("site_missing_lib"))
    ours = registry.Benchmark("mine", found.card, found.folder, "cutscore.benchmarks.mine")
    with pytest.raises(MissingExtra, match=r"pip install 'cutscore\[ocr,speech\]'$"):
        ours.part("mark")


# --- plug-ins


def test_plugins_are_named_and_not_loaded(site: Site) -> None:
    site.write("site_p/__init__.py", "raise RuntimeError('imported')")
    site.install("site_p", "cutscore.subjects", "robot = site_p:Robot")
    assert plugins("subjects")["robot"].value == "site_p:Robot"
    assert "robot" not in plugins("judges")
    assert "site_p" not in sys.modules


def test_two_plugins_with_one_name(site: Site) -> None:
    site.install("site_p", "cutscore.judges", "kind = site_p:Kind")
    site.install("site_q", "cutscore.judges", "kind = site_q:Kind")
    with pytest.raises(BadInput) as caught:
        plugins("judges")
    said = "judge 'kind': is offered twice: site_p:Kind and site_q:Kind; uninstall one of them"
    assert str(caught.value) == said


def test_an_unknown_kind_of_plugin() -> None:
    with pytest.raises(UnknownName, match=r"no kind of plug-in 'judge'; did you mean 'judges'\?"):
        plugins("judge")  # type: ignore[arg-type]
