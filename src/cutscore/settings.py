"""What the user has set: `cutscore.toml`, the environment, defaults.

A setting is taken from the environment (`CUTSCORE_WORKERS=4`), else from the nearest `cutscore.toml` at or above the
working folder, else from the default. Paths in the file are relative to the file, paths in the environment to the
working folder. A key that we do not know is an error, never a silent default.

Secrets come from the environment only; `redaction.py` keeps them out of whatever is written.
"""

import datetime
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.frozen import Finite, FrozenModel

FILE_NAME = "cutscore.toml"

# Environment variable → setting.
VARIABLES = {
    "CUTSCORE_LOG_DIR": "log_dir",
    "CUTSCORE_CACHE": "cache_dir",
    "CUTSCORE_FRAMES_MAX_BYTES": "frames_max_bytes",
    "CUTSCORE_DATA": "data_dir",
    "CUTSCORE_AGENTS": "agents_dir",
    "CUTSCORE_SPEECH_WEIGHTS": "speech_weights",
    "CUTSCORE_WORKERS": "workers",
    "CUTSCORE_RAY_ADDRESS": "ray_address",
    "CUTSCORE_MAX_RETRIES": "max_retries",
    "CUTSCORE_TIMEOUT_S": "timeout_s",
    "CUTSCORE_BACKOFF_S": "backoff_s",
    "CUTSCORE_PROVIDER_FAILURES_MAX": "provider_failures_max",
    "CUTSCORE_PROVIDER_FAILURES_WINDOW": "provider_failures_window",
    "CUTSCORE_UNSCORED_MAX": "unscored_max",
    "CUTSCORE_SECRETS": "secret_env",
}
_PATHS = ("log_dir", "cache_dir", "data_dir", "agents_dir", "speech_weights")

_SECRET_KEY = re.compile(r"(?:[\w-]+[_-])?(?:api_?key|key|token|secret|password|passwd|passphrase|credentials?)", re.I)


Usd = Annotated[Finite, Field(ge=0)]


class OwnPrice(FrozenModel):
    """A price that the user knows better, in US dollars: per million tokens, per call, per second of video made.

    Cache tokens without a price of their own cost what input costs. Tokens cost nothing where there is a price per
    call or per second of video and none for tokens.

    Args:
        source: Where the price is from; the address of a price list, say.
        date: Day from which it is.
    """

    input_usd_per_mtok: Usd | None = None
    output_usd_per_mtok: Usd | None = None
    cached_usd_per_mtok: Usd | None = None
    cache_write_usd_per_mtok: Usd | None = None
    per_call_usd: Usd = 0.0
    per_video_second_usd: Usd = 0.0
    source: str = ""
    date: datetime.date | None = None

    @model_validator(mode="after")
    def _refuse_half_a_price(self) -> Self:
        tokens = (self.input_usd_per_mtok, self.output_usd_per_mtok)
        whole = self.model_fields_set & {"per_call_usd", "per_video_second_usd"}
        if None in tokens and (any(each is not None for each in tokens) or not whole):
            raise ValueError("set input_usd_per_mtok and output_usd_per_mtok, or per_call_usd or per_video_second_usd")
        return self


class ModelSettings(FrozenModel):
    """What the user says about one model; what it does not say of what it takes, we know by the provider."""

    takes: Literal["video", "frames", "text"] | None = None
    max_connections: int | None = Field(default=None, ge=1)


class Settings(FrozenModel):
    """Everything that can be set once for many commands.

    Args:
        cache_dir: Fetched assets and other things that can be had again.
        agents_dir: Where command-line agents are installed; in the cache when None.
        frames_max_bytes: What decoded frames in the cache may take together.
        speech_weights: Folder with Whisper weights for CTranslate2; those of the extra when None.
        prompts: Prompt files that replace ours, by `name` or `benchmark/name`.
        workers: Processes for CPU-heavy work; None takes what the machine has.
        ray_address: Cluster of the engine `ray`; when empty, Ray is started on this machine.
        backoff_s: Wait before the first repeat of a call, which doubles with each; None leaves it to Inspect (3 s).
        provider_failures_max: Share of the last calls that may fail after all repeats; above it a provider is asked no
            more (within `stop_by` of the card). 1 asks on and on.
        provider_failures_window: How many calls that looks back on.
        unscored_max: Share of unscored samples above which a run is called unfit.
        secret_env: Names of further environment variables whose values are secret.
    """

    log_dir: Path = Path("logs")
    cache_dir: Path = Field(default_factory=lambda: _user_cache(os.environ))
    frames_max_bytes: int = Field(default=4 << 30, ge=0)
    data_dir: Path | None = None
    agents_dir: Path | None = None
    speech_weights: Path | None = None
    prompts: dict[str, Path] = Field(default_factory=dict)
    prices: dict[str, OwnPrice] = Field(default_factory=dict)
    models: dict[str, ModelSettings] = Field(default_factory=dict)
    workers: int | None = Field(default=None, ge=1)
    ray_address: str = ""
    max_retries: int = Field(default=5, ge=0)
    timeout_s: int = Field(default=600, ge=1)
    backoff_s: Annotated[Finite, Field(gt=0)] | None = None
    provider_failures_max: float = Field(default=0.3, ge=0, le=1)
    provider_failures_window: int = Field(default=50, ge=1)
    unscored_max: float = Field(default=0.05, ge=0, le=1)
    secret_env: tuple[str, ...] = ()


def settings_file(start: Path | None = None) -> Path | None:
    """Find the nearest `cutscore.toml` at or above a folder; the working folder when none is given."""
    folder = (start or Path.cwd()).resolve()
    return next((found for up in (folder, *folder.parents) if (found := up / FILE_NAME).is_file()), None)


def load_settings(start: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings that hold in a folder."""
    environ = os.environ if environ is None else environ
    file = settings_file(start)
    text = _text_of(file) if file else ""
    written = _parse(file, text) if file else {}
    spoken = _from_environment(environ)
    if isinstance(names := written.get("secret_env"), list) and "secret_env" in spoken:
        spoken["secret_env"] = [*names, *spoken["secret_env"]]  # the only setting that adds up: a secret stays one
    try:
        return Settings.model_validate({"cache_dir": _user_cache(environ), **written, **spoken})
    except ValidationError as error:
        raise _describe_fault(error, file, text, spoken) from None


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"'{file}'", "is not UTF-8 text", "save it as UTF-8") from None
    except OSError as error:
        raise BadInput(f"'{file}'", f"cannot be read: {error.strerror}") from None


def _parse(file: Path, text: str) -> dict[str, Any]:
    """Read the file as plain data, with its paths made independent of the working folder."""
    try:
        plain = tomllib.loads(text)
    except RecursionError:
        raise BadInput(f"'{file}'", "is nested too deeply", "correct it") from None
    except ValueError as error:  # tomllib's own, or Python's for numbers of thousands of digits
        message, _, place = str(error).removesuffix(")").partition(" (at ")
        number = re.match(r"line (\d+)", place)
        line = number[1] if number else text.rstrip().count("\n") + 1
        raise BadInput(
            f"'{file}', line {line}", f"is not TOML: {message[:1].lower()}{message[1:]}", "correct it"
        ) from None
    for path in _key_paths(plain):
        if _SECRET_KEY.fullmatch(path[-1]):
            fact = f"'{path[-1]}' looks like a secret, and secrets come from the environment only"
            raise BadInput(_place(file, text, path), fact, "delete it here and set an environment variable")
    for key in _PATHS:
        if isinstance(plain.get(key), str):
            plain[key] = file.parent / Path(plain[key]).expanduser()
    if isinstance(prompts := plain.get("prompts"), dict):
        anchored = {k: file.parent / Path(v).expanduser() if isinstance(v, str) else v for k, v in prompts.items()}
        plain["prompts"] = anchored
    return plain


def _key_paths(plain: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in plain.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from _key_paths(value, (*above, key))


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return what `CUTSCORE_*` variables set; an empty one sets nothing.

    A name that we do not know but that is close to one we know is a typing error; others may be somebody else's.
    """
    found: dict[str, Any] = {}
    for name in sorted(environ):
        if name in VARIABLES:
            if value := environ[name].strip():
                found[VARIABLES[name]] = value
        elif name.startswith("CUTSCORE_") and get_close_matches(name[9:], [known[9:] for known in VARIABLES]):
            raise UnknownName.among("environment variable", name, VARIABLES)
    for key in _PATHS:
        if key in found:
            found[key] = Path(found[key]).expanduser()
    if "secret_env" in found:
        found["secret_env"] = re.findall(r"[^\s,]+", found["secret_env"])
    return found


def _describe_fault(error: ValidationError, file: Path | None, text: str, spoken: Mapping[str, Any]) -> BadInput:
    """Turn the first thing that is wrong into a sentence with its place."""
    first = error.errors(include_input=False, include_url=False)[0]
    path = tuple(str(part) for part in first["loc"])
    variable = next((name for name, key in VARIABLES.items() if key == path[0] and key in spoken), None)
    where = f"environment variable {variable}" if variable or not file else _place(file, text, path)
    if first["type"] == "extra_forbidden":
        inner: dict[str, type[FrozenModel]] = {"models": ModelSettings, "prices": OwnPrice}
        known = inner.get(path[0], Settings) if len(path) > 1 else Settings
        unknown = UnknownName.among("setting", path[-1], known.model_fields)
        return UnknownName(where, unknown.what, unknown.next)
    said = re.sub(r" for <class '.*'>", "", first["msg"])
    return BadInput(where, f"{'.'.join(path)}: {said}", "correct it")


def _place(file: Path, text: str, path: tuple[str, ...]) -> str:
    """Name file, line and table of a key. The line is where the parts of its path first follow one another."""
    table = f", table [{'.'.join(path[:-1])}]" if len(path) > 1 else ""
    text = re.sub(r"(?m)^\s*#.*$", "", text)
    end = 0
    for part in path:
        found = re.compile(rf"""(?<![\w-])["']?{re.escape(part)}["']?\s*[=.\]]""").search(text, end)
        if found is None:
            return f"'{file}'{table}"
        start, end = found.start(), found.end() - 1
    return f"'{file}', line {text.count(chr(10), 0, start) + 1}{table}"


def _user_cache(environ: Mapping[str, str]) -> Path:
    """Return the folder for things that can be had again, by the custom of the system."""
    shared = Path(environ.get("XDG_CACHE_HOME", ""))
    if shared.is_absolute():  # a relative one is to be ignored, says the XDG specification
        return shared / "cutscore"
    try:
        home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
    except RuntimeError:  # a user without a name in a bare container
        return Path(tempfile.gettempdir()) / f"cutscore-{os.getuid()}"
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "cutscore"
