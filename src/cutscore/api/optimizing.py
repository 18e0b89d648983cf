"""Align a judge with people's labels: plan a search, run it, carry its prompt to another judge."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from cutscore.api.judged_runs import JudgedRuns, judged_files, judged_runs
from cutscore.api.requests import check_judge
from cutscore.api.search_models import PARAMS, AskedModels, open_models, settle_limits
from cutscore.cells.lock import lock_folder
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.frozen import digest_of
from cutscore.core.judgement import JUDGE_ROLE, JudgeSpec
from cutscore.labels.files import labels_digest, merge_labels, write_labels
from cutscore.optimize.budget import SearchBudget
from cutscore.optimize.candidates import Candidate, CandidateRules, prompt_digest
from cutscore.optimize.gepa_search import search_with_gepa
from cutscore.optimize.held_out import HeldOutReading, compare_prompts
from cutscore.optimize.objectives import objective
from cutscore.optimize.problem import JudgeProblem, evaluate_prompt, in_threads
from cutscore.optimize.proposer import FOLDER as OPTIMIZER_PROMPTS
from cutscore.optimize.proposer import PromptWriter
from cutscore.optimize.record import (
    CandidateRecord,
    OptimizeRecord,
    SearchSettings,
    TransferRecord,
    code_digest,
    count_reading,
    find_record,
    read_record,
    record_file,
    settings_digest,
    way_of,
    work_folder,
    write_result,
)
from cutscore.optimize.rule_writer import RULES, SIMULATION, open_rule_writer
from cutscore.optimize.samples import DEV, TEST, TRAIN, SampleSplits, choose_family, prompt_of_cases, split_samples
from cutscore.optimize.textgrad_search import search_with_textgrad
from cutscore.optimize.walk import MINIBATCH, SearchWalk
from cutscore.prompts import load_prompt, load_prompts
from cutscore.scoring.judges.benchmark_judges import SEES_ITEMS

SEARCHES: Mapping[str, Callable[..., None]] = {"gepa": search_with_gepa, "textgrad": search_with_textgrad}
# Whether a child must do better on a minibatch before it is validated, unless told: as each was published.
GATES = {"gepa": True, "textgrad": False}
MATCHINGS = ("paper", "reference", "none")
APPROXIMATE = ("characters", "embedding")
VOTES, CONCURRENCY = 5, 8
LABELS_FILE = "labels.jsonl"


@dataclass(frozen=True)
class OptimizeRequest:
    """What a user asks for; see `cutscore optimize judge -h`.

    Args:
        optimizer: Who writes prompts; the judge's model when empty. `rules` is no model.
        cost_limit_usd: None for the paper's, where prices are known.
        gate: None for what the method was published with.
        prompts: Files that replace prompts, by name; the one that is improved begins with its file.
    """

    labels: tuple[Path, ...]
    runs: tuple[Path, ...]
    judge: str
    out: Path
    method: str = "gepa"
    optimizer: str = ""
    matcher: str = ""
    votes: int = VOTES
    sequential: bool = False
    calls: int | None = None
    cost_limit_usd: float | None = None
    phi: str = "mcc"
    matching: str = "paper"
    family: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    minibatch: int = MINIBATCH
    gate: bool | None = None
    prompts: Mapping[str, Path] = field(default_factory=dict)
    data: Path | None = None
    concurrency: int = CONCURRENCY


@dataclass(frozen=True)
class _LabelledRuns:
    """What a request names, read and split."""

    runs: JudgedRuns
    splits: SampleSplits
    prompt: str
    first: str
    matcher: str
    labels_digest: str

    def judge_spec(self, request: OptimizeRequest) -> JudgeSpec:
        """Return the judge without the prompt that changes."""
        others = {name: file for name, file in request.prompts.items() if name != self.prompt}
        own_data, early = request.data is not None, request.sequential or None
        return JudgeSpec(request.judge, request.votes, others, own_data=own_data, params=dict(PARAMS), stop_early=early)

    def open(
        self, request: OptimizeRequest, *, optimizer: str = "", cost_limit_usd: float | None
    ) -> AbstractContextManager[AskedModels]:
        """Open everybody who is asked."""
        return open_models(
            self.judge_spec(request),
            self.prompt,
            self.runs,
            work_folder(request.out),
            optimizer=optimizer,
            matcher=self.matcher,
            matching=request.matching,
            cost_limit_usd=cost_limit_usd,
        )


@dataclass(frozen=True)
class SearchPlan:
    """A search that could begin."""

    request: OptimizeRequest
    settings: SearchSettings
    given: _LabelledRuns
    warnings: tuple[str, ...]


def plan_search(request: OptimizeRequest) -> SearchPlan:
    """Read labels and runs, split them, and settle everything that decides the way; nobody is asked."""
    if request.method not in SEARCHES:
        raise UnknownName.among("method", request.method, SEARCHES)
    given = _read(request)
    _require_samples(given.splits)
    optimizer = request.optimizer or request.judge
    if optimizer == RULES:
        open_rule_writer(given.runs.benchmark)  # says what is wrong before anything begins
    elif "/" not in optimizer:
        fact = f"'{optimizer}' is no model that could write a prompt"
        raise BadInput("optimizer", fact, "name one with --optimizer PROVIDER/NAME")
    models = [request.judge, optimizer, given.matcher]
    limit = settle_limits(models, calls=request.calls, cost_limit_usd=request.cost_limit_usd)
    settings = SearchSettings(
        benchmark=given.runs.name,
        family=dict(request.family),
        method=request.method,
        gate=GATES[request.method] if request.gate is None else request.gate,
        matching=request.matching,
        phi=request.phi,
        judge=request.judge,
        votes=request.votes,
        sequential=request.sequential,
        optimizer=optimizer,
        matcher=given.matcher,
        prompt=given.prompt,
        seed=request.seed,
        minibatch=request.minibatch,
        calls=request.calls,
        cost_limit_usd=limit,
        sizes={name: len(samples) for name, samples in given.splits.by_split.items()},
        prevalence={name: given.splits.prevalence(name) for name in given.splits.by_split},
        digests=_digests(given),
        simulation=_simulation(given, models),
    )
    return SearchPlan(request, settings, given, _warnings(given))


def run_search(plan: SearchPlan, *, on_candidate: Callable[[Candidate], None] = lambda each: None) -> OptimizeRecord:
    """Search, read the test split once, and write prompt and record; one that is finished is read back.

    Raises:
        BadInput: Another search has written to the same place.
        RunBroken: It could not go on. The same command does, and pays for nothing twice.
    """
    request, settings, given = plan.request, plan.settings, plan.given
    if record_file(request.out).is_file():
        kept = read_record(request.out)
        if settings_digest(kept.settings) != settings_digest(settings):
            fact = f"{record_file(request.out).name} is of another search"
            raise BadInput(f"-o '{request.out}'", fact, "choose another -o")
        return kept
    work, splits = work_folder(request.out), given.splits.by_split
    optimizer, limit = settings.optimizer, settings.cost_limit_usd
    with lock_folder(work), given.open(request, optimizer=optimizer, cost_limit_usd=limit) as models:
        assert models.optimizer is not None
        write_labels(work / LABELS_FILE, given.splits.labels)
        problem = JudgeProblem(
            judge=models.judge,
            optimizer=models.optimizer,
            train=splits[TRAIN],
            validation=splits[DEV],
            phi=objective(settings.phi),
            match=models.match,
            run_all=in_threads(request.concurrency),
        )
        kept_back = 2 * len(splits[TEST])
        budget = SearchBudget(settings.calls, settings.cost_limit_usd, models.spent_usd, kept_back)
        writer = PromptWriter(CandidateRules.of(given.first))
        walk = SearchWalk(problem, budget, writer, settings.minibatch, settings.seed, on_candidate)
        SEARCHES[settings.method](walk, given.first, gate=settings.gate)
        stopped = walk.why_stop
        test = _read_test(request, given, models, walk.table.best.text) if splits[TEST] else None
    record = _record(plan, walk, models, test, stopped)
    write_result(request.out, record)
    if test is not None:
        count_reading(request.out, judge=settings.judge, why="search", labels=given.labels_digest)
    return record


def read_transfer(request: OptimizeRequest, prompt: Path) -> TransferRecord:
    """Ask another judge about the test split with p0 and with a prompt that was found elsewhere; nothing is optimised.

    p0 is that of the prompt's record, or the benchmark's own where it has none. The request's `out` says where replies
    are kept.
    """
    kept = find_record(prompt)
    given = _read(request)
    best = load_prompt(prompt.stem, folder=prompt.parent, flags={prompt.stem: prompt}).text
    if not given.splits.by_split[TEST]:
        raise BadInput("split 'test'", "has no labelled sample", "label more, or split the labels anew")
    models_asked = [request.judge, given.matcher]
    limit = settle_limits(models_asked, calls=None, cost_limit_usd=request.cost_limit_usd, endless=False)
    with lock_folder(work_folder(request.out)), given.open(request, cost_limit_usd=limit) as models:
        reading = _read_test(request, given, models, best, first=kept.first_text if kept else "")
    times = count_reading(prompt, judge=request.judge, why="transfer", labels=given.labels_digest) if kept else 1
    return TransferRecord(
        benchmark=given.runs.name,
        family=dict(request.family),
        judge=request.judge,
        votes=request.votes,
        matching=request.matching,
        matcher=given.matcher,
        prompt=prompt_digest(best),
        found_with=kept.settings.judge if kept else "",
        labels=given.labels_digest,
        date=datetime.datetime.now(datetime.UTC).date(),
        calls={role: tally.calls for role, tally in models.replies.items()},
        cost_usd=models.spent_usd(),
        readings=times,
        test=reading,
        warnings=_warnings(given),
    )


def _read(request: OptimizeRequest) -> _LabelledRuns:
    from cutscore.scoring.judges.request import load_judge_prompts
    from cutscore.settings import load_settings

    if request.matching not in MATCHINGS:
        raise UnknownName.among("matching", request.matching, MATCHINGS)
    objective(request.phi)
    labels = choose_family(merge_labels(request.labels).labels, request.family)
    if request.runs:
        runs = judged_runs(labels, request.runs, data=request.data)
    else:
        runs = judged_files(labels, request.data or request.labels[0].parent)
    found = runs.benchmark
    if found is not None:
        check_judge(found.card, request.judge, request.votes)
    prompt = prompt_of_cases(runs.cases, next(iter(request.prompts), ""))
    splits = split_samples(
        labels, [case for case in runs.cases if (case.view.prompt or JUDGE_ROLE) == prompt], seed=request.seed
    )
    named = [each for label in labels for each in label.weaknesses]
    own = "code" if named and all(each.code for each in named) else "characters"
    config = load_settings().prompts
    folder = found.folder / "prompts" if found else None
    texts = load_judge_prompts(folder, benchmark=runs.name, flags=request.prompts, config=config)
    matcher = "" if request.matching == "none" or not named else request.matcher or own  # verdicts need none
    return _LabelledRuns(runs, splits, prompt, texts[prompt].text, matcher, labels_digest(labels))


def _require_samples(splits: SampleSplits) -> None:
    """Refuse labels of which none can teach, or none can choose, and say what became of those that there are."""
    for name in (TRAIN, DEV):
        if not splits.by_split[name]:
            lost = "".join(f"; {line}" for line in _left_out(splits))
            raise BadInput(f"split '{name}'", f"has no labelled sample{lost}", "label more, or split the labels anew")


def _left_out(splits: SampleSplits) -> list[str]:
    return [f"{times} labelled questions left out: {reason}" for reason, times in splits.left_out.items()]


def _read_test(
    request: OptimizeRequest, given: _LabelledRuns, models: AskedModels, best: str, *, first: str = ""
) -> HeldOutReading:
    """Ask about the test split with p0 and with the best prompt."""
    test, run_all = given.splits.by_split[TEST], in_threads(request.concurrency)
    before, after = (
        evaluate_prompt(text, test, judge=models.judge, match=models.match, run_all=run_all)
        for text in (first or given.first, best)
    )
    return compare_prompts(before, after, folder=request.out.parent)


def _digests(given: _LabelledRuns) -> dict[str, str]:
    ids = {name: sorted(each.id for each in samples) for name, samples in given.splits.by_split.items()}
    return {
        "p0": prompt_digest(given.first),
        "labels": given.labels_digest,
        "splits": digest_of(ids),
        "prompts": digest_of({name: each.digest for name, each in load_prompts(OPTIMIZER_PROMPTS).items()}),
        "code": code_digest(),
    }


def _simulation(given: _LabelledRuns, models: list[str]) -> str:
    """Say what stood in for models or people, where something did."""
    offline = all("/" not in name or name.startswith("scripted/") for name in models)
    judges = sorted({label.person for label in given.splits.labels} & set(SEES_ITEMS))
    said = ["no provider was asked"] if offline else []
    said += [SIMULATION] if RULES in models else []
    said += [f"labels are of the judge '{name}', not of people" for name in judges]
    return "; ".join(said)


def _warnings(given: _LabelledRuns) -> tuple[str, ...]:
    splits = given.splits
    made = _left_out(splits)
    if splits.leaks:
        leaks = f"{len(splits.leaks)} clusters are in more than one split, '{splits.leaks[0]}' first"
        made.append(f"{leaks}: the test split flatters what was found")
    if given.matcher in APPROXIMATE:
        made.append(f"matcher '{given.matcher}' is approximate; name a model with --role matcher=M to publish figures")
    return tuple(made)


def _record(
    plan: SearchPlan, walk: SearchWalk, models: AskedModels, test: HeldOutReading | None, stopped: str
) -> OptimizeRecord:
    table = walk.table
    return OptimizeRecord(
        settings=plan.settings,
        date=datetime.datetime.now(datetime.UTC).date(),
        stopped=stopped,
        best=table.best.number,
        candidates=tuple(map(CandidateRecord.of, table.rows)),
        refused=dict(sorted(table.refused.items())),
        rejected=table.rejected,
        refused_pairs=walk.refused_pairs,
        way=way_of(table),
        calls={"metric": walk.budget.used, **{role: tally.calls for role, tally in models.replies.items()}},
        cost_usd=models.spent_usd(),
        unfinished=dict(models.unfinished),
        test=test,
        warnings=plan.warnings,
    )
