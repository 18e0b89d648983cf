"""The card of a benchmark: everything a list, a price or a report needs, readable without running code."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from cutscore.core.arm import INPUTS
from cutscore.core.condition import CONDITIONS, ConditionCard
from cutscore.core.files import PlainPath
from cutscore.core.finding import score_key
from cutscore.core.frozen import Finite, FrozenModel, SafeName, Sha256

# Modes that mean the same everywhere: as the released code marks, as the paper's text says, and with everything that is
# missing wrong. A benchmark may name others in its card.
MODES = ("reference", "paper", "strict")
MODE_NAME = r"[a-z][a-z0-9_]*"
JUDGE_PARAMS = ("temperature", "top_p", "max_tokens", "reasoning_effort", "seed")


class Paper(FrozenModel):
    """Where the benchmark was published; empty for our own."""

    title: str = ""
    authors: str = ""
    year: int | None = None
    url: str = ""


class Asset(FrozenModel):
    """An outside file, pinned.

    Args:
        size_bytes: Its size, shown before the download starts.
        url: Where it may be had; empty when only a recipe exists.
    """

    name: PlainPath
    sha256: Sha256
    size_bytes: int = Field(ge=0)
    licence: str = Field(min_length=1)
    url: str = ""
    recipe: str = ""


class ScoreCard(FrozenModel):
    """One score.

    Args:
        label: Its name for people; made from its key when empty (`Card.label`).
        unit: In what it is counted (`dB`, `%`, `points`); a share when empty.
        direction: Which value is the better one, a higher or a lower one.
        kind: A grade says how good something is; a measure is a fact beside it, which nobody is ranked by.
        floor: What `null` gets.
        chance: What guessing gets; None when there is no guessing.
        guess: Who guesses so, where it is not `blind`, which then may get less: the best of a grid of blind attempts.
        judged: A judge decides it, so it is there only when one was asked.
        ratio: Samples bring a part and its whole, and the score is the ratio of their sums; whole 0 counts nothing.
        oracle: What the oracle must reach, where no deliverable reaches the top of the scale (a measured metric).
        items: Which items have it, by group (`{"axis": ["order"]}`); all of them when empty. A sample that could not be
            marked is counted beside the scores of its item alone.
    """

    about: str
    label: str = ""
    unit: str = ""
    direction: Literal["higher", "lower"] = "higher"
    kind: Literal["grade", "measure"] = "grade"
    floor: Finite = 0.0
    chance: Finite | None = None
    guess: str = ""
    scale: tuple[Finite, Finite] = (0.0, 1.0)
    judged: bool = False
    ratio: bool = False
    oracle: Finite | None = None
    items: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def has_item(self, groups: Mapping[str, str]) -> bool:
        """Return whether an item of these groups has the score."""
        return all(groups.get(name) in values for name, values in self.items.items())

    @model_validator(mode="after")
    def _oracle_is_on_the_scale(self) -> Self:
        if self.oracle is not None and not self.scale[0] < self.oracle <= self.scale[1]:
            raise ValueError(f"oracle {self.oracle:g} is not on the scale from {self.scale[0]:g} to {self.scale[1]:g}")
        return self

    @property
    def ceiling(self) -> float:
        """What the best deliverable reaches, as far as is known: what the oracle must, or the top of the scale."""
        return self.scale[1] if self.oracle is None else self.oracle


class JudgeCard(FrozenModel):
    """How a benchmark's judge is asked, unless the user says otherwise.

    Args:
        votes: How often each question is asked; odd.
        stop_early: Leave out votes that cannot change a verdict any more.
        frames: Frame plan for judges that take frames; that of the subjects when empty.
        default: Who judges when nobody is named; nobody when empty.
        roles: Further judges that `mark` may ask, by the names under which `--role` seats them (`matcher`).
        params: How a model is asked, where the paper says so: `temperature`, `top_p`, `max_tokens`, `reasoning_effort`,
            `seed`.
    """

    votes: int = Field(default=1, ge=1)
    stop_early: bool = False
    frames: str = ""
    default: str = ""
    roles: tuple[SafeName, ...] = ()
    params: dict[str, str | int | Finite] = Field(default_factory=dict)

    @field_validator("roles")
    @classmethod
    def _other_roles(cls, roles: tuple[str, ...]) -> tuple[str, ...]:
        if "judge" in roles or len(set(roles)) < len(roles):
            raise ValueError("each role is named once, and 'judge' is there anyway")
        return roles

    @field_validator("params")
    @classmethod
    def _known_params(cls, params: dict[str, str | int | float]) -> dict[str, str | int | float]:
        if unknown := next((name for name in params if name not in JUDGE_PARAMS), None):
            raise ValueError(f"'{unknown}' is none of {', '.join(JUDGE_PARAMS)}")
        return params

    @field_validator("votes")
    @classmethod
    def _odd(cls, votes: int) -> int:
        if votes % 2 == 0:
            raise ValueError(f"{votes} votes can be tied; ask an odd number of times")
        return votes


class OptionCard(FrozenModel):
    """A choice that the paper leaves open, or that people may wish to make otherwise.

    There are no choices where the benchmark itself says what it understands.
    """

    about: str
    default: str
    choices: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _default_is_a_choice(self) -> Self:
        if self.choices and self.default not in self.choices:
            raise ValueError(f"default '{self.default}' is not among the choices: {', '.join(self.choices)}")
        return self


class Card(FrozenModel):
    """A `benchmark.toml`.

    Args:
        version: Goes up whenever a score may move.
        headline: Name of the score that is printed first; listed in `scores`.
        modes: Scoring modes in which the benchmark can be marked, the default first; empty when the sources agree.
        options: Choices in scoring, by name; a mark made with another than the default is another cell's.
        conditions: Conditions of work of its own, and other defaults for those of every benchmark
            (`core.condition`); work under another value than the default is another cell's.
        answer_tokens: How long an answer usually is, for the price before a run; unknown when None.
        repeats: How often a study asks each item (K of the paper), which is what `sweep` does unless its file says.
        splits: Number of items by split, the default split first.
        packs: Data packs that ship in its folder, by name, and what each is; `--data NAME` takes one.
        inputs: Variants of what is asked, by name (`ask.variant`), and what each changes, in one sentence.
        subjects: Kinds of subject that make sense, in the order in which they are shown.
        planted: Subjects of its own with known faults, by kind, and what each does (`oracle.PLANTED`).
        delivered_as: As what an answer counts where the ask wants files; files alone when empty.
        cluster_noun: What one cluster of items is, for people: questions about one clip are one `clip`.
        sample_noun: What is asked once: a `question`, a `task`.
        measures: Names of findings, with `*` for anything, whose value is a measurement or a count and no grade: a low
            one is not bad, so a report does not colour it and leads nobody to it as the worst.
        labels: Findings that are no scores, by name, as people read them.
        stop_by: Group of items within which a provider that keeps failing is asked no more; the whole cell when empty.
    """

    name: SafeName
    title: str
    about: str
    version: str
    licence: str
    headline: str
    scores: dict[str, ScoreCard]
    splits: dict[str, int]
    packs: dict[SafeName, str] = Field(default_factory=dict)
    subjects: tuple[str, ...] = ("oracle", "blind", "null", "model")
    planted: dict[SafeName, str] = Field(default_factory=dict)
    delivered_as: tuple[Literal["text", "files"], ...] = ()
    modes: tuple[str, ...] = ()
    options: dict[str, OptionCard] = Field(default_factory=dict)
    conditions: dict[SafeName, ConditionCard] = Field(default_factory=dict)
    answer_tokens: int | None = Field(default=None, ge=1)
    repeats: int = Field(default=1, ge=1)
    inputs: dict[SafeName, str] = Field(default_factory=dict)
    frames: str = ""
    extras: tuple[str, ...] = ()
    assets: tuple[Asset, ...] = ()
    paper: Paper = Paper()
    judged_by: str = "verifier"
    judge: JudgeCard = JudgeCard()
    cluster_noun: str = "clip"
    sample_noun: str = "sample"
    measures: tuple[str, ...] = ()
    labels: dict[str, str] = Field(default_factory=dict)
    stop_by: str = ""
    known_gaps: tuple[str, ...] = ()

    @field_validator("modes")
    @classmethod
    def _known_modes(cls, modes: tuple[str, ...]) -> tuple[str, ...]:
        if odd := [mode for mode in modes if not re.fullmatch(MODE_NAME, mode)]:
            raise ValueError(f"scoring mode '{odd[0]}' is not a name: lower-case letters, digits and _")
        for mode in modes:
            near = get_close_matches(mode, MODES, n=1, cutoff=0.75)
            if near and mode not in MODES:
                raise ValueError(f"scoring mode '{mode}': did you mean '{near[0]}'?")
        return modes

    @field_validator("inputs")
    @classmethod
    def _other_inputs(cls, inputs: dict[str, str]) -> dict[str, str]:
        if taken := next((name for name in inputs if name in INPUTS), None):
            raise ValueError(f"input '{taken}' means the same in every benchmark: {INPUTS[taken]}")
        return inputs

    @field_validator("conditions")
    @classmethod
    def _with_conditions_of_all(cls, own: dict[str, ConditionCard]) -> dict[str, ConditionCard]:
        for name, condition in own.items():
            if name in ("frames", "input"):
                raise ValueError(f"'{name}' is a setting of every benchmark, no condition")
            if name in CONDITIONS:
                if odd := sorted(condition.model_fields_set - {"about", "default"}):
                    raise ValueError(f"'{name}' means the same in every benchmark; leave out {', '.join(odd)}")
            elif not condition.about:
                raise ValueError(f"condition '{name}' does not say what it is about")
        known = {name: CONDITIONS[name].model_dump() for name in own if name in CONDITIONS}
        given = {name: own[name].model_dump(exclude_unset=True) for name in own}
        return {name: ConditionCard.model_validate({**known.get(name, {}), **given[name]}) for name in own}

    @model_validator(mode="after")
    def _conditions_are_no_options(self) -> Self:
        if both := next((name for name in self.conditions if name in self.options), None):
            raise ValueError(f"'{both}' is both an option and a condition; --set could not tell them apart")
        return self

    @model_validator(mode="after")
    def _headline_is_a_score(self) -> Self:
        if self.headline not in self.scores:
            raise ValueError(f"headline '{self.headline}' is not among the scores: {', '.join(self.scores)}")
        score = self.scores[self.headline]
        if score.kind == "measure" or score.direction == "lower":  # whoever ranks puts the highest first
            raise ValueError(f"headline '{self.headline}' is a grade of which a higher one is better")
        return self

    @property
    def takes_judge(self) -> bool:
        """Whether there is anything for a judge to decide."""
        return any(score.judged for score in self.scores.values())

    @property
    def needs_judge(self) -> bool:
        """Whether there is no headline without a judge."""
        return self.scores[self.headline].judged

    def is_grade(self, finding: str) -> bool:
        """Return whether the value of a finding is a grade; of a score its own card says it.

        >>> card = Card(name="x", title="X", about="", version="1", licence="", headline="a", splits={},
        ...             scores={"a": ScoreCard(about=""), "db": ScoreCard(about="", kind="measure")}, measures=("*_s",))
        >>> card.is_grade("late_s"), card.is_grade("found"), card.is_grade("a"), card.is_grade("db")
        (False, True, True, False)
        """
        if finding in self.scores:
            return self.scores[finding].kind == "grade"
        return not any(fnmatchcase(finding, name) for name in self.measures)

    def label(self, name: str) -> str:
        """Return the name of a score or finding as people read it.

        >>> card = Card(name="x", title="X", about="", version="1", licence="", headline="nd", splits={},
        ...             scores={"nd": ScoreCard(about="", label="clips in place")}, labels={"iou": "overlap"})
        >>> card.label("nd"), card.label("iou"), card.label("shot_size")
        ('clips in place', 'overlap', 'shot size')
        """
        score = self.scores.get(name)
        return (score.label if score else "") or self.labels.get(name, "") or name.replace("_", " ")

    def mode(self, asked: str | None) -> str:
        """Return the mode to mark in: the asked one, or the default."""
        if asked is None:
            return self.modes[0] if self.modes else ""
        if asked not in self.modes:
            known = ", ".join(self.modes) or "only one, without a name"
            raise ValueError(f"benchmark '{self.name}' has no scoring mode '{asked}'; it has {known}")
        return asked

    def changed_options(self, asked: Mapping[str, str]) -> dict[str, str]:
        """Return the choices that differ from the defaults; together with the card they are all of them.

        >>> card = Card(name="x", title="X", about="", version="1", licence="", headline="a", splits={},
        ...             scores={"a": ScoreCard(about="")},
        ...             options={"matcher": OptionCard(about="", default="words", choices=("words", "chars"))})
        >>> card.changed_options({"matcher": "chars"}), card.changed_options({"matcher": "words"})
        ({'matcher': 'chars'}, {})
        """
        for name, value in asked.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise ValueError(f"benchmark '{self.name}' has no option '{name}'; it has {known}")
            if (choices := self.options[name].choices) and value not in choices:
                raise ValueError(f"option '{name}' cannot be '{value}'; it can be {', '.join(choices)}")
        return {name: value for name, value in sorted(asked.items()) if value != self.options[name].default}

    @property
    def all_conditions(self) -> dict[str, ConditionCard]:
        """Every condition of work by name, those of its own first."""
        return {**self.conditions, **{name: each for name, each in CONDITIONS.items() if name not in self.conditions}}

    def changed_conditions(self, asked: Mapping[str, str]) -> dict[str, str]:
        """Return the conditions that differ from the defaults, each in its one spelling.

        >>> card = Card(name="x", title="X", about="", version="1", licence="", headline="a", splits={},
        ...             scores={"a": ScoreCard(about="")}, conditions={"time_limit_s": ConditionCard(default="60")})
        >>> card.changed_conditions({"time_limit_s": "60", "temperature": "0.0"})
        {'temperature': '0'}
        """
        known, made = self.all_conditions, {}
        for name, value in sorted(asked.items()):
            if name not in known:
                near = get_close_matches(name, known, n=1)
                hint = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(known)}"
                raise ValueError(f"benchmark '{self.name}' has no condition '{name}'; {hint}")
            try:
                made[name] = known[name].normalise(value)
            except ValueError as error:
                raise ValueError(f"condition '{name}' {error}") from None
        return {name: value for name, value in made.items() if value != known[name].default}

    def condition_values(self, changed: Mapping[str, str]) -> dict[str, str]:
        """Return the value of every condition; empty where nothing is set."""
        return {name: changed.get(name, each.default) for name, each in self.all_conditions.items()}

    def score_keys(self, mode: str = "") -> tuple[str, ...]:
        """Name the scores of an item, headline in the given mode first, every other mode beside it."""
        names = [self.headline, *(name for name in self.scores if name != self.headline)]
        order = [mode, *(other for other in self.modes if other != mode)] if self.modes else [""]
        return tuple(score_key(name, each) for name in names for each in order)
