"""A task as VideoWebArena releases it, field by field; an unknown field is refused.

The types take what the files hold, defects included, so that a defect can be named and mended (`overlay`). What cannot
be marked as it is written is told by `task_checks`. Placeholders (`__REDDIT__`) stay as they are: `sites` turns them
into addresses and back.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue, StrictBool, StrictFloat, StrictInt, StringConstraints, model_validator

from cutscore.benchmarks.videowebarena.sites import SiteName
from cutscore.core.frozen import FrozenModel

MOST_CHARACTERS = 20_000  # of one string; the longest in the released files has about 2,000
MOST_TASK_ID = 999_999
OR = " |OR| "  # between alternatives, in answers, addresses and image addresses
AND = " |AND| "  # between start pages

Text = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS)]
EvalType = Literal["string_match", "url_match", "program_html", "page_image_query"]
MatchKind = Literal["exact_match", "must_include", "must_exclude", "fuzzy_match", "one_of", "required_values"]
UrlNote = Literal["EXACT", "GOLD in PRED"]
TaskSet = Literal["factual", "vwa", "wa"]

# As what each kind is written in the files.
ONE_TEXT, LISTS = ("exact_match",), ("must_include", "must_exclude", "one_of", "required_values")


class MatchRule(FrozenModel):
    """One rule about a text: of an answer, or of what a locator found.

    Args:
        wanted: One text for `exact_match`, several for all others but `fuzzy_match`, which is written in both ways.
    """

    kind: MatchKind
    wanted: Text | tuple[Text, ...]

    @model_validator(mode="after")
    def _is_written_as_its_kind(self) -> Self:
        if self.kind in ONE_TEXT and not isinstance(self.wanted, str):
            raise ValueError(f"'{self.kind}' is one text, not a list")
        if self.kind in LISTS and isinstance(self.wanted, str):
            raise ValueError(f"'{self.kind}' is a list, not one text")
        return self

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is wanted, also where it is one text."""
        return (self.wanted,) if isinstance(self.wanted, str) else self.wanted


def _split_rules(written: Any) -> Any:
    """Return rules in the order of the file, which is the order in which they are marked."""
    if not isinstance(written, dict):
        return written
    return [{"kind": kind, "wanted": wanted} for kind, wanted in written.items()]


def _with_rules(data: Any, field: str) -> Any:
    return {**data, field: _split_rules(data[field])} if isinstance(data, dict) and field in data else data


class HtmlTarget(FrozenModel):
    """One target of `program_html`: a page, where to look on it, and what must stand there.

    Args:
        url: `last`, an address, or `func:` and a call.
        locator: Empty for the whole page; `document.…`, `[...document.…`, `lambda:…` or `func:…`.
        required_contents: In the order of the file. The reference looks at one kind alone, by an order of its own.
    """

    url: Text
    locator: Text
    required_contents: tuple[MatchRule, ...]
    prep_actions: tuple[Text, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _take_rules(cls, data: Any) -> Any:
        return _with_rules(data, "required_contents")


class VisualQuestion(FrozenModel):
    """A question that is put to each image of a page, and the word that one of the replies must contain."""

    question: Text
    answer: Text


class PageImageQuery(FrozenModel):
    """One target of `page_image_query`: which images of which page, and what they must show or look like.

    Args:
        eval_image_class: Empty for all images, else a class with its dot.
        eval_fuzzy_image_match: Addresses of images, any of which will do; empty when questions are put.
        ssim_threshold: None for the reference's 0.8.
    """

    eval_image_url: Text
    eval_image_class: Text = ""
    eval_vqa: tuple[VisualQuestion, ...] = ()
    eval_fuzzy_image_match: Text = ""
    ssim_threshold: StrictFloat | None = Field(default=None, ge=0, le=1)

    @property
    def match_images(self) -> tuple[str, ...]:
        """Addresses of the images to compare with, as written."""
        return tuple(self.eval_fuzzy_image_match.split(OR)) if self.eval_fuzzy_image_match else ()


class EvalSection(FrozenModel):
    """How a task is marked: every type of `eval_types` in its order, multiplied.

    Args:
        reference_answers: In the order of the file; None where the file has none, or null.
        url_note: As written; None where the file has none, which counts as EXACT.
        string_note: Why a task cannot be done, where its answer is N/A.
    """

    eval_types: tuple[EvalType, ...]
    reference_answers: tuple[MatchRule, ...] | None = None
    reference_url: Text | None = None
    url_note: Text | None = None
    program_html: tuple[HtmlTarget, ...] = ()
    page_image_query: tuple[PageImageQuery, ...] = ()
    string_note: Text = ""
    reference_answer_raw_annotation: Text = ""
    annotation_note: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _take_rules(cls, data: Any) -> Any:
        return _with_rules(data, "reference_answers")

    @property
    def reference_urls(self) -> tuple[str, ...]:
        """Addresses that count, with their placeholders."""
        return tuple((self.reference_url or "").split(OR))

    @property
    def reference_images(self) -> tuple[str, ...]:
        """Addresses of all images to compare with, each once, in their order."""
        return tuple(dict.fromkeys(image for query in self.page_image_query for image in query.match_images))

    @property
    def uses(self) -> frozenset[str]:
        """The types that count, whatever else is filled in."""
        return frozenset(self.eval_types)


class IntermediateEval(FrozenModel):
    """How the intermediate answer is marked: by its `reference_answers`; nothing else of it is ever read."""

    reference_answers: tuple[MatchRule, ...]
    eval_types: tuple[Text, ...] | None = None
    reference_url: Text = ""
    url_note: Text | None = None
    program_html: tuple[HtmlTarget, ...] = ()
    string_note: Text = ""
    reference_answer_raw_annotation: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _take_rules(cls, data: Any) -> Any:
        return _with_rules(data, "reference_answers")


class ViewportSize(FrozenModel):
    """Size of the page in CSS pixels; 65 tasks give a width alone."""

    width: StrictInt = Field(ge=1, le=10_000)
    height: StrictInt | None = Field(default=None, ge=1, le=10_000)


class Geolocation(FrozenModel):
    """Where the browser says that it is; no released task tells."""

    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    accuracy: float = Field(default=0, ge=0)


class WebTask(FrozenModel):
    """One entry of a released file.

    Args:
        task_id: Counts from 0 in each file.
        storage_state: Path of a saved login, whose file name tells the sites: `./.auth/gitlab.reddit_state.json`.
        start_url: Start pages, joined by ` |AND| `.
        image: Addresses or paths of input images.
        video: Name of the tutorial without its ending; empty where there is none.
        program_html, reference_url, string_note: Strays: where they stand nobody reads them.
    """

    task_id: StrictInt = Field(ge=0, le=MOST_TASK_ID)
    sites: tuple[SiteName, ...] = Field(min_length=1)
    require_login: StrictBool
    storage_state: Text | None
    start_url: Text = Field(min_length=1)
    geolocation: Geolocation | None
    require_reset: StrictBool
    intent_template: Text
    intent_template_id: StrictInt
    intent: Text = Field(min_length=1)
    instantiation_dict: dict[str, JsonValue]
    video: Text
    eval: EvalSection | None = None
    image: Text | tuple[Text, ...] | None = None
    viewport_size: ViewportSize | None = None
    overall_difficulty: Text = ""
    reasoning_difficulty: Text = ""
    visual_difficulty: Text = ""
    comments: Text = ""
    intermediate_intent: Text = ""
    intermediate_eval: IntermediateEval | None = None
    intermediate_difficulty: Text = ""
    visual_reasoning: StrictBool = False
    audio_reasoning: StrictBool = False
    multihop_reasoning: StrictBool = False
    temporal_reasoning: StrictBool = False
    program_html: tuple[HtmlTarget, ...] = ()
    reference_url: Text | None = None
    string_note: Text = ""

    @property
    def images(self) -> tuple[str, ...]:
        """Input images as written, in their order."""
        written = (self.image,) if isinstance(self.image, str) else self.image or ()
        return tuple(each for each in written if each)

    @property
    def start_urls(self) -> tuple[str, ...]:
        """Start pages, one a tab, with their placeholders."""
        return tuple(self.start_url.split(AND))
