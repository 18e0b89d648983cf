"""Where settings come from, what is refused and in which words."""

import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from cutscore.core.errors import BadInput, UnknownName
from cutscore.settings import OwnPrice, Settings, load_settings, settings_file

HOME = {"HOME": "/home/ann"}


def write(folder: Path, text: str) -> Path:
    file = folder / "cutscore.toml"
    file.write_text(text, encoding="utf-8")
    return file


# --- where settings come from -------------------------------------------------------------------------------------


def test_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, HOME)
    assert settings.log_dir == Path("logs")
    cache = "Library/Caches" if sys.platform == "darwin" else ".cache"
    assert settings.cache_dir == Path("/home/ann") / cache / "cutscore"
    assert (settings.data_dir, settings.workers, settings.prompts, settings.secret_env) == (None, None, {}, ())
    assert 0 < settings.unscored_max < 1


def test_the_nearest_file_above_counts(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    write(tmp_path, "workers = 1")
    assert load_settings(below, {}).workers == 1
    write(tmp_path / "a", "workers = 2")
    assert load_settings(below, {}).workers == 2
    assert settings_file(below) == (tmp_path / "a" / "cutscore.toml").resolve()
    (below / "cutscore.toml").mkdir()  # a folder of that name is not the file
    assert load_settings(below, {}).workers == 2


def test_the_working_folder_is_where_the_search_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "max_retries = 9")
    monkeypatch.chdir(tmp_path)
    assert load_settings(environ={}).max_retries == 9


def test_everything_that_can_be_written(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        log_dir = "runs"
        cache_dir = "/big/cache"
        data_dir = "../footage"
        workers = 3
        max_retries = 0
        timeout_s = 30
        unscored_max = 0.5
        secret_env = ["STUDIO_LOGIN"]

        [prompts]
        judge = "prompts/judge.md"
        "vidwork/ask" = "/abs/ask.md"

        [prices."openai/gpt-x"]
        input_usd_per_mtok = 1.25
        output_usd_per_mtok = 10
        cached_usd_per_mtok = 0.125

        [models."vllm/mine"]
        takes = "video"
        max_connections = 2
        """,
    )
    settings = load_settings(tmp_path, HOME)
    root = tmp_path.resolve()
    assert (settings.log_dir, settings.cache_dir) == (root / "runs", Path("/big/cache"))
    assert settings.data_dir == root / "../footage"
    assert settings.prompts == {"judge": root / "prompts/judge.md", "vidwork/ask": Path("/abs/ask.md")}
    price = OwnPrice(input_usd_per_mtok=1.25, output_usd_per_mtok=10, cached_usd_per_mtok=0.125)
    assert settings.prices == {"openai/gpt-x": price}
    assert price.cache_write_usd_per_mtok is None
    assert (settings.models["vllm/mine"].takes, settings.models["vllm/mine"].max_connections) == ("video", 2)
    assert (settings.workers, settings.max_retries, settings.timeout_s, settings.unscored_max) == (3, 0, 30, 0.5)
    assert settings.secret_env == ("STUDIO_LOGIN",)


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Settings().workers = 3  # type: ignore[misc]


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    write(tmp_path, 'workers = 3\nlog_dir = "runs"\nsecret_env = ["A"]')
    environ = {
        "CUTSCORE_WORKERS": "5",
        "CUTSCORE_LOG_DIR": "elsewhere",
        "CUTSCORE_CACHE": "/tmp/cache",
        "CUTSCORE_DATA": "/data",
        "CUTSCORE_MAX_RETRIES": "1",
        "CUTSCORE_TIMEOUT_S": "7",
        "CUTSCORE_BACKOFF_S": "0.5",
        "CUTSCORE_PROVIDER_FAILURES_MAX": "0.1",
        "CUTSCORE_PROVIDER_FAILURES_WINDOW": "20",
        "CUTSCORE_UNSCORED_MAX": "0.25",
        "CUTSCORE_FRAMES_MAX_BYTES": "1000",
        "CUTSCORE_SPEECH_WEIGHTS": "~/whisper",
        "CUTSCORE_SECRETS": "B, C",
        "XDG_CACHE_HOME": "/xdg",
    }
    settings = load_settings(tmp_path, environ)
    assert (settings.workers, settings.max_retries, settings.timeout_s, settings.unscored_max) == (5, 1, 7, 0.25)
    assert settings.backoff_s == 0.5
    assert (settings.provider_failures_max, settings.provider_failures_window) == (0.1, 20)
    assert (settings.frames_max_bytes, settings.speech_weights) == (1000, Path("~/whisper").expanduser())
    assert (settings.log_dir, settings.cache_dir, settings.data_dir) == (
        Path("elsewhere"),  # relative to the working folder, as typed
        Path("/tmp/cache"),
        Path("/data"),
    )
    assert settings.secret_env == ("A", "B", "C")


def test_empty_variables_set_nothing(tmp_path: Path) -> None:
    assert load_settings(tmp_path, {"CUTSCORE_WORKERS": "", "CUTSCORE_CACHE": " ", **HOME}) == load_settings(
        tmp_path, HOME
    )


@pytest.mark.parametrize(
    ("xdg", "parent"), [("/xdg", "/xdg"), ("relative", "/home/ann/.cache"), ("", "/home/ann/.cache")]
)
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS keeps caches elsewhere")
def test_the_cache_follows_the_xdg_specification(tmp_path: Path, xdg: str, parent: str) -> None:
    assert load_settings(tmp_path, {"XDG_CACHE_HOME": xdg, **HOME}).cache_dir == Path(parent) / "cutscore"


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "rest"),
    [
        ("# log_dri = 1\nworkers = 2\nlog_dri = 'x'", ", line 3", "no setting 'log_dri'; did you mean 'log_dir'?"),
        (
            "workers = 2\n# takess = 1\n[models.'a/b']\nmax_connections = 1\ntakess = 'video'",
            ", line 5, table [models.a/b]",
            "no setting 'takess'; did you mean 'takes'?",
        ),
        (
            "[prices]\n'm' = { input_usd_per_mtok = 1, output_usd_per_mtok = 2, cached_usd = 3 }",
            ", line 2, table [prices.m]",
            "no setting 'cached_usd'; did you mean 'cached_usd_per_mtok'?",
        ),
        (
            "workers = 2\n[models.m]\nworkers = 3",
            ", line 3, table [models.m]",
            "no setting 'workers'; known: max_connections, takes",
        ),
        ("workers = 0", ", line 1", "workers: Input should be greater than or equal to 1; correct it"),
        (
            "[models.m]\ntakes = 'smell'",
            ", line 2, table [models.m]",
            "models.m.takes: Input should be 'video', 'frames' or 'text'; correct it",
        ),
        (
            "[prices.m]\ninput_usd_per_mtok = nan\noutput_usd_per_mtok = 1",
            ", line 2, table [prices.m]",
            "prices.m.input_usd_per_mtok: Input should be a finite number; correct it",
        ),
        (
            "[prompts]\njudge = 3",
            ", line 2, table [prompts]",
            "prompts.judge: Input is not a valid path; correct it",
        ),
        ("secret_env = 'A'", ", line 1", "secret_env: Input should be a valid tuple; correct it"),
        ("a = 1\nb = ", ", line 2", "is not TOML: invalid value; correct it"),
        ("a = 1\na = 2", ", line 2", "is not TOML: cannot overwrite a value; correct it"),
        ("a = 1\nb c = 2\nd = 3", ", line 2", "is not TOML: expected '=' after a key in a key/value pair; correct it"),
        ("a = " + "[" * 100_000, "", "is nested too deeply; correct it"),
    ],
)
def test_the_file_is_refused_with_its_place(tmp_path: Path, text: str, place: str, rest: str) -> None:
    file = write(tmp_path, text).resolve()
    with pytest.raises(BadInput) as bad:
        load_settings(tmp_path, {})
    assert str(bad.value) == f"'{file}'{place}: {rest}"
    assert bad.value.exit_code == 2


def test_unknown_settings_are_unknown_names(tmp_path: Path) -> None:
    write(tmp_path, "colour = 1")
    with pytest.raises(UnknownName, match="no setting 'colour'; known: agents_dir, backoff_s"):
        load_settings(tmp_path, {})


@pytest.mark.parametrize("key", ["api_key", "OPENAI_API_KEY", "token", "password", "secret", "apikey", "client-secret"])
@pytest.mark.parametrize("table", ["", "[models.'openai/x']\n", "[prompts]\n"])
def test_secrets_in_the_file_are_refused_and_not_repeated(tmp_path: Path, key: str, table: str) -> None:
    file = write(tmp_path, f"{table}{key} = 'sk-very-secret'").resolve()
    with pytest.raises(BadInput) as bad:
        load_settings(tmp_path, {})
    line = 2 if table else 1
    assert str(bad.value).startswith(f"'{file}', line {line}")
    assert f"'{key}' looks like a secret, and secrets come from the environment only" in str(bad.value)
    assert "sk-very" not in str(bad.value)


def test_names_that_only_sound_secret_are_taken(tmp_path: Path) -> None:
    write(tmp_path, "[models.'acme/token-1']\ntakes='text'\n[prompts]\nkeyframes = 'k.md'")
    assert set(load_settings(tmp_path, {}).models) == {"acme/token-1"}


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "cutscore.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(BadInput, match=r"cutscore.toml': is not UTF-8 text; save it as UTF-8"):
        load_settings(tmp_path, {})


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("CUTSCORE_WORKERS", "many", "environment variable CUTSCORE_WORKERS: workers: Input should be a valid integer"),
        (
            "CUTSCORE_UNSCORED_MAX",
            "7",
            "environment variable CUTSCORE_UNSCORED_MAX: unscored_max: Input should be less",
        ),
        ("CUTSCORE_WORKRES", "4", "no environment variable 'CUTSCORE_WORKRES'; did you mean 'CUTSCORE_WORKERS'?"),
        ("CUTSCORE_CACHE_DIR", "x", "no environment variable 'CUTSCORE_CACHE_DIR'; did you mean 'CUTSCORE_CACHE'?"),
    ],
)
@pytest.mark.parametrize("text", [None, "workers = 2"])
def test_variables_are_refused_by_name(tmp_path: Path, text: str | None, variable: str, value: str, words: str) -> None:
    if text:
        write(tmp_path, text)
    with pytest.raises(BadInput) as bad:
        load_settings(tmp_path, {variable: value})
    assert str(bad.value).startswith(words)


def test_variables_of_others_are_left_alone(tmp_path: Path) -> None:
    others = ("CUTSCORE_OFFLINE", "CUTSCORE_SHARED", "CUTSCORE_CHROMIUM", "CUTSCORE_KILL_AT")
    assert load_settings(tmp_path, {**dict.fromkeys(others, "1"), **HOME}) == load_settings(tmp_path, HOME)


@pytest.mark.parametrize("half", ["input_usd_per_mtok = 1", "cached_usd_per_mtok = 1", 'source = "a page"'])
def test_half_a_price_is_refused(half: str, tmp_path: Path) -> None:
    write(tmp_path, f'[prices."a/b"]\n{half}')
    with pytest.raises(BadInput, match="set input_usd_per_mtok and output_usd_per_mtok, or per_call_usd or per_video"):
        load_settings(tmp_path, HOME)


def test_a_price_may_be_by_the_call_or_the_second_with_source_and_day(tmp_path: Path) -> None:
    write(tmp_path, '[prices."a/b"]\nper_video_second_usd = 0.5\nsource = "a page"\ndate = 2026-11-01')
    price = load_settings(tmp_path, HOME).prices["a/b"]
    assert (price.per_video_second_usd, price.source, str(price.date)) == (0.5, "a page", "2026-11-01")
