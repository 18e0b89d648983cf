"""How a video service is spoken to, as a file: what is sent, how a job is asked after, where its result lies.

`http:URL` is the plain profile: a POST of `instruction`, `seed` and the file `source`, if any. The answer is the video,
or `{"id": …}`; then `URL/ID` is asked until its `status` is `done`, `failed` or `refused`, and `video` names the
result.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, JsonValue, ValidationError

from cutscore.core.errors import BadInput, Stopped
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.strict_json import first_fault
from cutscore.settings import OwnPrice

PLAIN_FIELDS: Mapping[str, str] = {"instruction": "{instruction}", "seed": "{seed}", "source?": "{source}"}


class SubmitRules(FrozenModel):
    """How a job is given.

    Args:
        form: `multipart` sends files as they are, `json` as data URLs.
        fields: Names of the service → what fills them: `{instruction}`, `{source}`, `{seed}` and other blanks; in JSON
            as deep as the service wants it (`http_body`).
        job: Where the answer has the id of the job, as a dotted path.
    """

    form: Literal["multipart", "json"] = "multipart"
    fields: dict[str, JsonValue] = Field(default=dict(PLAIN_FIELDS))
    job: str = "id"


class PollRules(FrozenModel):
    """How a job is asked after.

    Args:
        url: With `{job}`; that of the service and the id when empty.
        state, reason: Where the answer has its state, and why it failed.
        done, failed, refused: Words for these states; any other means that it is under way.
        every_s, timeout_s: How often, and after how long a job is given up.
    """

    url: str = ""
    state: str = "status"
    reason: str = "error"
    done: tuple[str, ...] = ("done", "succeeded", "completed", "success")
    failed: tuple[str, ...] = ("failed", "error", "cancelled")
    refused: tuple[str, ...] = ("refused", "moderated", "rejected")
    every_s: Finite = Field(default=5.0, gt=0)
    timeout_s: Finite = Field(default=3600.0, gt=0)


class ServiceProfile(FrozenModel):
    """A service that edits or makes videos.

    Args:
        key: Name of the variable that holds the key; nothing is sent without one.
        header: The header that carries it.
        video: Where the answer names the video: an address, or a data URL.
        takes: Families of files that it takes beside words: `video`, `image`, `audio`; all where it does not say.
        refused_status: HTTP codes by which it refuses a request for what it asks for.
        per_call_usd, per_second_usd: What each job costs that the service takes, and each second of its video; the cost
            is unknown where neither is given. 0 is free.
    """

    url: str
    key: str = ""
    header: str = "Authorization: Bearer {key}"
    submit: SubmitRules = SubmitRules()
    poll: PollRules = PollRules()
    video: str = "video"
    takes: tuple[Literal["video", "image", "audio"], ...] | None = None
    refused_status: tuple[int, ...] = ()
    per_call_usd: Finite | None = Field(default=None, ge=0)
    per_second_usd: Finite | None = Field(default=None, ge=0)

    @property
    def origin(self) -> tuple[str, str]:
        """Scheme and host, to which alone the key is sent."""
        return urlsplit(self.url)[:2]

    @property
    def ledger_name(self) -> str:
        """The service, as the ledger and price lists name it."""
        return f"http/{self.origin[1]}"

    @property
    def price(self) -> OwnPrice | None:
        """What a job costs; None when nobody says."""
        if self.per_call_usd is None and self.per_second_usd is None:
            return None
        per_second = self.per_second_usd or 0.0
        return OwnPrice(per_call_usd=self.per_call_usd or 0.0, per_video_second_usd=per_second, source="its profile")

    def job_url(self, job: str) -> str:
        """Return where a job is asked after."""
        return (self.poll.url or f"{self.url.rstrip('/')}/{{job}}").replace("{job}", job)

    def headers(self, url: str) -> dict[str, str]:
        """Return what goes with a request: the key, to the service itself and to nobody else."""
        if not self.key or urlsplit(url)[:2] != self.origin:
            return {}
        value = os.environ.get(self.key)
        if not value:
            raise Stopped(f"service '{self.origin[1]}'", f"needs the key in {self.key}", f"export {self.key}=…")
        name, _, words = self.header.partition(":")
        return {name.strip(): words.strip().replace("{key}", value)}


def read_profile(spec: str) -> ServiceProfile:
    """Return the profile of `http:URL` or `http:PROFILE.toml`."""
    if spec.startswith(("http://", "https://", "//")):
        return _check(ServiceProfile(url=f"http:{spec}" if spec.startswith("//") else spec), spec)
    try:
        with Path(spec).open("rb") as stream:
            return _check(ServiceProfile.model_validate(tomllib.load(stream)), spec)
    except OSError as fault:
        raise BadInput(f"profile '{spec}'", f"cannot be read: {fault.strerror}", "write http:URL or a file") from fault
    except (ValidationError, ValueError) as fault:
        raise BadInput(f"profile '{spec}'", first_fault(fault), "see docs/editors.md") from None


def _check(profile: ServiceProfile, spec: str) -> ServiceProfile:
    if profile.origin[0] not in ("http", "https") or not profile.origin[1]:
        raise BadInput(f"profile '{spec}'", f"'{profile.url}' is no address", "write http://HOST/PATH")
    return profile


def look_up(plain: Any, path: str) -> Any:
    """Return what lies at a dotted path of a JSON value; None where nothing does.

    >>> look_up({"data": [{"id": 7}]}, "data.0.id"), look_up({}, "a.b")
    (7, None)
    """
    for name in path.split("."):
        if isinstance(plain, Mapping):
            plain = plain.get(name)
        elif isinstance(plain, list) and name.isdecimal() and int(name) < len(plain):
            plain = plain[int(name)]
        else:
            return None
    return plain
