"""Searches for a judge prompt in a world whose truth is known, beside the bare library gepa on the same callables.

    python bench/optimize.py [--seeds 4] [--calls 2000]

Four figures: metric calls until held-out fractional MCC reaches 0.9, CPU and memory for 1,000 metric calls, calls of
20 ms side by side against one by one, and matchers: pairs a second, and model calls that the pre-filter saves.
The library's side keeps its own defaults: reflection prompt, gate, Pareto selection, and the best by its mean.
"""

import argparse
import json
import random
import re
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "fixtures"))

from prompt_world import FIRST, HeldOut, WorldJudge, add_rules, feedback_rules, make_problem, make_samples, make_walk

from cutscore.core.judgement import Weakness
from cutscore.optimize.gepa_search import search_with_gepa
from cutscore.optimize.problem import JudgeProblem, PredictedAnswer, evaluate_prompt, in_threads
from cutscore.optimize.textgrad_search import search_with_textgrad
from cutscore.scoring.judges.ask import RawReply
from cutscore.scoring.matching.model_matcher import PREFILTER_THRESHOLD, ModelMatcher
from cutscore.scoring.matching.quality import fault_triples
from cutscore.scoring.matching.similarity import CHARACTERS, EMBEDDING, embedding_similarity

GOAL, COMPONENT = 0.9, "judge"
EQUAL_PAIRS = 0.06  # the highest threshold of the pre-filter, in hundredths, at which no pair of these lists is lost
Watch = Callable[[str, int], bool]


@dataclass(repr=False)
class LibraryAdapter:
    """The least that the library needs of a judge: scores, feedback, nothing of ours around it."""

    problem: JudgeProblem
    calls: int = 0
    propose_new_texts: None = None

    def evaluate(self, batch, candidate, capture_traces=False):
        from gepa.core.adapter import EvaluationBatch

        marks = self.problem.evaluate(candidate[COMPONENT], batch)
        self.calls += len(batch)
        return EvaluationBatch([None] * len(marks), [each.score for each in marks], marks if capture_traces else None)

    def make_reflective_dataset(self, candidate, eval_batch, components_to_update):
        return {COMPONENT: [{"Feedback": each.feedback} for each in eval_batch.trajectories]}


@dataclass(repr=False)
class BestByMean:
    """Tells of the library's best candidate whenever a validation has ended."""

    adapter: LibraryAdapter
    watch: Watch
    done: bool = False

    def on_valset_evaluated(self, event) -> None:
        if event["is_best_program"]:
            self.done = self.done or self.watch(event["candidate"][COMPONENT], self.adapter.calls)


def library_writer(text: str) -> str:
    """Play the same optimiser for the library's own request."""
    prompt = re.search(r"```\n?(.*?)```", text, re.DOTALL)
    return "```\n" + "\n".join(add_rules(prompt[1].strip().splitlines(), feedback_rules(text), text)) + "\n```"


def run_library(problem: JudgeProblem, *, calls: int, seed: int, watch: Watch) -> None:
    from gepa.api import optimize

    class Silence:
        def log(self, message: str) -> None:
            pass

    adapter = LibraryAdapter(problem)
    watcher = BestByMean(adapter, watch)
    optimize(
        seed_candidate={COMPONENT: FIRST},
        trainset=list(problem.train),
        valset=list(problem.validation),
        adapter=adapter,
        reflection_lm=library_writer,
        max_metric_calls=calls,
        stop_callbacks=[lambda state: watcher.done],
        callbacks=[watcher],
        logger=Silence(),
        seed=seed,
    )


def run_ours(search, problem: JudgeProblem, *, calls: int, seed: int, watch: Watch) -> None:
    walk = make_walk(problem, calls=calls, seed=seed)

    def on_candidate(each: object) -> None:
        if watch(walk.table.best.text, walk.budget.used):
            walk.budget.stopped = "the goal is reached"

    walk.on_candidate = on_candidate
    search(walk, FIRST)


SIDES = {
    "gepa's own defaults": run_library,
    "ours, gepa": lambda problem, **more: run_ours(search_with_gepa, problem, **more),
    "ours, textgrad": lambda problem, **more: run_ours(search_with_textgrad, problem, **more),
}


def calls_until_goal(run, seed: int, held_out: HeldOut, most: int) -> int | None:
    reached: list[int] = []

    def watch(text: str, used: int) -> bool:
        if not reached and held_out.worth(make_problem(seed), text) >= GOAL:
            reached.append(used)
        return bool(reached)

    run(make_problem(seed), calls=most, seed=seed, watch=watch)
    return reached[0] if reached else None


def never(text: str, used: int) -> bool:
    """Watch nothing."""
    return False


def cpu_s(run, calls: int) -> float:
    """Return CPU seconds for so many metric calls; the world's own share is in both sides alike."""
    started = time.process_time()
    run(make_problem(0, judge=WorldJudge(null=True)), calls=calls, seed=0, watch=never)
    return time.process_time() - started


def peak_mib(run, calls: int) -> float:
    """Return the most memory that so many metric calls held."""
    tracemalloc.start()
    run(make_problem(0, judge=WorldJudge(null=True)), calls=calls, seed=0, watch=never)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 2**20


def side_by_side(workers: int) -> float:
    samples = make_samples("slow", 64)

    def judge(prompt: str, sample: object) -> list[PredictedAnswer]:
        time.sleep(0.02)
        return [PredictedAnswer(has_weakness=False)]

    def seconds(**more) -> float:
        started = time.perf_counter()
        evaluate_prompt(FIRST, samples, judge=judge, match=None, **more)
        return time.perf_counter() - started

    return seconds() / seconds(run_all=in_threads(workers))


@dataclass
class TrueMatcherModel:
    """A model that knows which of our triples are the same fault; counts how often it is asked."""

    name: str = "true"
    asked: int = 0
    same: dict[str, str] = field(default_factory=lambda: {each.same: each.fault for each in fault_triples()})

    def reply_from_thread(self, system: str, words: str, *, turn: int = 1) -> RawReply:
        self.asked += 1
        ours, theirs = re.split(r"======== predicted.*", words)
        mine, named = (
            [json.loads(line) for line in part.splitlines() if line.startswith("{")] for part in (ours, theirs)
        )
        pairs = [
            [one["number"], other["number"]]
            for one in mine
            for other in named
            if self.same.get(other["text"]) == one["text"]
        ]
        seal = re.search(r'"seal": "([0-9a-f]+)"', system)
        return RawReply(json.dumps({"seal": seal[1], "pairs": pairs, "plausible": []}))


def lists_of_faults(n: int = 200) -> list[tuple[list[Weakness], list[Weakness]]]:
    """Two lists as a judge's and people's are: one or two faults each, most of them about other things."""
    draws, made = random.Random(0), []
    triples = [each for each in fault_triples() if each.language == "en"]
    for _ in range(n):
        people, others = draws.sample(triples, 2), draws.sample(triples, 2)
        named = [draws.choice([people[0].same, others[0].same, others[0].unrelated]), others[1].fault][
            : draws.randint(1, 2)
        ]
        reference = [Weakness(text=each.fault) for each in people[: draws.randint(1, 2)]]
        made.append((reference, [Weakness(text=text) for text in named]))
    return made


def pairs_per_second(matcher, lists: Sequence[tuple[list[Weakness], list[Weakness]]]) -> float:
    matcher.pair(*lists[0])
    started = time.process_time()
    for reference, predicted in lists:
        matcher.pair(reference, predicted)
    return sum(len(one) * len(two) for one, two in lists) / (time.process_time() - started)


def filtered_calls(lists, unfiltered, threshold: float) -> tuple[int, int]:
    """Return how often a model behind a pre-filter is asked, and in how many lists it pairs otherwise than without."""
    model = TrueMatcherModel()

    def shifted(ours: Sequence[str], theirs: Sequence[str]):
        return embedding_similarity(ours, theirs) + (PREFILTER_THRESHOLD - threshold)

    found = [ModelMatcher(model, prefilter=shifted).pair(*each).pairs for each in lists]
    return model.asked, sum(one != two for one, two in zip(unfiltered, found, strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description="Searches for a judge prompt, beside the bare library.")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--calls", type=int, default=2000, help="metric calls for CPU and memory")
    parser.add_argument("--long", type=int, default=10_000, help="metric calls for memory")
    given = parser.parse_args()
    held_out = HeldOut(500)
    print(f"metric calls until held-out fractional MCC {GOAL}, seeds 0 to {given.seeds - 1}, at most 4,000")
    for name, run in SIDES.items():
        found = [calls_until_goal(run, seed, held_out, 4000) for seed in range(given.seeds)]
        known = [each if each is not None else 4000 for each in found]
        print(f"  {name:20} median {statistics.median(known):6,.0f}   {found}")
    print(f"CPU for 1,000 metric calls (of {given.calls:,}), and peak memory at {given.calls:,} and {given.long:,}")
    cpu = {name: statistics.median(cpu_s(run, given.calls) for _ in range(3)) for name, run in SIDES.items()}
    for name, run in SIDES.items():
        rate, share = 1000 * cpu[name] / given.calls, cpu[name] / cpu["gepa's own defaults"]
        memory = ", ".join(f"{peak_mib(run, calls):.1f} MiB" for calls in (given.calls, given.long))
        print(f"  {name:20} {rate:.3f} s, {share:.2f} of the library   {memory}")
    print(f"20 ms calls, 8 side by side: {side_by_side(8):.1f} times as fast as one by one")
    lists = lists_of_faults()
    for matcher in (CHARACTERS, EMBEDDING):
        print(f"matcher {matcher.name}: {pairs_per_second(matcher, lists):,.0f} pairs of weaknesses a CPU second")
    plain = TrueMatcherModel()
    without = [ModelMatcher(plain).pair(*each).pairs for each in lists]
    for threshold in (PREFILTER_THRESHOLD, EQUAL_PAIRS):
        asked, lost = filtered_calls(lists, without, threshold)
        said = f"{plain.asked} model calls become {asked}; pairs differ in {lost} of {len(lists)} lists"
        print(f"pre-filter at {threshold:.2f}: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
