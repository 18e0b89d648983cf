"""One clear sentence, the right exit code, nothing lost."""

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows
from cutscore.registry import benchmark

RUN = ("run", "colorbars", "--subject", "oracle", "--limit", "12")
AS_ROOT = os.geteuid() == 0


def one_sentence(ran, code: int, *parts: str) -> None:
    assert (ran.code, ran.out) == (code, "")
    (line,) = ran.said
    assert line.startswith("error: ")
    for part in parts:
        assert part in line


def test_a_wrong_name(cli) -> None:
    one_sentence(
        cli("run", "colourbars", "--subject", "oracle"), 2, "no benchmark 'colourbars'; did you mean 'colorbars'?"
    )


def test_a_broken_card(child, tmp_path: Path) -> None:
    """An installed package whose card cannot be read stops only those who ask for it."""
    site = tmp_path / "site"
    (site / "mypkg" / "mybench").mkdir(parents=True)
    (site / "mypkg" / "__init__.py").touch()
    (site / "mypkg" / "mybench" / "benchmark.toml").write_text("name = \n", encoding="utf-8")
    info = site / "mypkg-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mypkg\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[cutscore.benchmarks]\nmybench = mypkg.mybench\n", encoding="utf-8")
    env = {"PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])}
    one_sentence(child("run", "mybench", "--subject", "oracle", **env), 2, "mybench/benchmark.toml: is not TOML (")
    listed = child("list", "--json", **env)
    assert listed.code == 0
    assert [each["kind"] for each in listed.json["broken"]] == ["BrokenCard"]
    assert "colorbars" in [each["name"] for each in listed.json["benchmarks"]]


@pytest.mark.parametrize("words", [RUN, ("show", "colorbars"), ("list",)])
def test_a_broken_settings_file(cli, words: tuple[str, ...]) -> None:
    Path("cutscore.toml").write_text("log_dirr = 'x'\n", encoding="utf-8")
    ran = cli(*words)
    if words == ("list",):
        assert ran.code == 0
    else:
        one_sentence(ran, 2, "line 1: no setting 'log_dirr'; did you mean 'log_dir'?")


def test_a_folder_that_cannot_be_written(cli) -> None:
    Path("file").touch()
    one_sentence(cli(*RUN, "--log-dir", "file/logs"), 3, "cannot be written", "choose another folder")


@pytest.mark.skipif(AS_ROOT, reason="root may write everywhere")
def test_a_read_only_folder(cli) -> None:
    Path("logs").mkdir(mode=0o555)
    one_sentence(cli(*RUN), 3, "no permission to write")


@pytest.mark.real  # long, and needs nothing else
def test_a_full_disk_loses_nothing(cli, tmp_path: Path) -> None:
    """A limit on the length of files stands for the full disk; afterwards the same command finishes."""
    code = "import sys; from cutscore.cli import main; sys.exit(main(sys.argv[1:]))"

    def cramped() -> None:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then writing fails as on a full disk, with an error
        resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, resource.RLIM_INFINITY))

    done = subprocess.run(
        [sys.executable, "-c", code, *RUN, "--json"],
        cwd=tmp_path,
        preexec_fn=cramped,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["kind"] == "NoRoom"
    assert "Traceback" not in done.stderr
    assert cli(*RUN).code == 0
    assert len(read_rows(Path("logs"))) == 12


def test_a_corrupt_store_entry_is_said_and_mended(cli, own_run: Path, rot) -> None:
    before = canonical_rows(read_rows(own_run))
    rot(own_run)
    one_sentence(cli("pack", own_run), 4, "store entry ", "has sha256 ", "run the same command again")
    reported = cli("report", own_run, "-o", "site")
    assert reported.code == 4
    assert "is written, but 1 stored file could not be shown: 'bars-01.mp4' (" in reported.said[-1]
    assert "; restore the store from a copy" in reported.said[-1]
    pages = [page.read_text("utf-8") for page in Path("site").rglob("*.html")]
    assert any("cannot be shown: store entry" in page for page in pages)
    assert not any(str(own_run) in page for page in pages)
    assert cli(*RUN, "--log-dir", own_run).code == 0
    assert cli("pack", own_run).code == 0
    assert canonical_rows(read_rows(own_run)) == before


def test_lost_files_are_named_and_the_report_is_written_without_them(cli, own_run: Path) -> None:
    shutil.rmtree(own_run / "store")
    reported = cli("report", own_run, "-o", "site", "--json")
    assert (reported.code, reported.json["error"]["kind"]) == (4, "CorruptEntry")
    assert {each["fault"] for each in reported.json["damaged"]} == {"is not in the store"}
    lost = len(reported.json["damaged"])
    assert f"{lost} stored files could not be shown: " in reported.json["error"]["fact"]
    assert reported.json["error"]["fact"].endswith(f" is not in the store, and {lost - 3} more")
    assert not any(str(own_run) in page.read_text("utf-8") for page in Path("site").rglob("*.html"))


@pytest.mark.parametrize(
    "words", [("report", "RUN", "-o", "site"), ("rescore", "RUN"), ("gate", "RUN", "--min", "a=1")]
)
def test_a_torn_log(cli, own_run: Path, cell_of, words: tuple[str, ...]) -> None:
    (log,) = cell_of(own_run, "blind").glob("*.eval")
    log.write_bytes(log.read_bytes()[:1000])
    ran = cli(*(own_run if word == "RUN" else word for word in words))
    one_sentence(ran, 2, f"log '{log.name}'", "cannot be read", "restore it from a copy, or run the same command again")
    assert not Path("site").exists()


def test_a_record_of_another_version(cli, own_run: Path, cell_of) -> None:
    file = cell_of(own_run, "blind") / "cell.json"
    plain = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**plain, "schema": "cutscore.cell/99"}), encoding="utf-8")
    ran = cli("report", own_run, "-o", "site")
    one_sentence(
        ran, 2, "has schema 'cutscore.cell/99', this version reads 'cutscore.cell/1'; read it with the version"
    )
    file.write_text("{", encoding="utf-8")
    one_sentence(cli("report", own_run, "-o", "site"), 2, "cell.json': cannot be read: ", "restore it or run again")


def test_a_missing_extra(child, tmp_path: Path) -> None:
    """An installed benchmark that needs a package of one of our extras, on a machine without it."""
    folder = tmp_path / "site" / "mypkg" / "mybench"
    folder.mkdir(parents=True)
    ours = benchmark("colorbars").folder
    card = (ours / "benchmark.toml").read_text(encoding="utf-8").replace('"colorbars"', '"mybench"')
    (folder / "benchmark.toml").write_text(card, encoding="utf-8")
    (folder / "task.py").write_text("import xdist_that_is_not_here\n", encoding="utf-8")
    for each in (folder, folder.parent):
        (each / "__init__.py").touch()
    info = tmp_path / "site" / "mypkg-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mypkg\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[cutscore.benchmarks]\nmybench = mypkg.mybench\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    ran = child("run", "mybench", "--subject", "oracle", PYTHONPATH=path)
    one_sentence(ran, 3, "task.py needs the module 'xdist_that_is_not_here', which is not installed; install it")


def test_an_engine_that_is_not_installed(cli) -> None:
    one_sentence(cli(*RUN, "--engine", "ray"), 3, "engine 'ray' needs an extra: pip install 'cutscore[ray]'")


def test_a_missing_provider_package(cli) -> None:
    pytest.importorskip("inspect_ai")
    try:
        import anthropic  # noqa: F401
    except ImportError:
        one_sentence(
            cli("run", "colorbars", "--model", "anthropic/x"), 3, "model 'anthropic/x': ", "pip install anthropic"
        )
        assert not Path("logs").exists()
    else:
        pytest.skip("anthropic is installed here")
