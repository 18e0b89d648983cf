"""What a set of tasks is made of: types, lengths, questions, words, topics, likeness (Figures 3 and 9, section 2.2)."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

from cutscore.benchmarks.covebench.checklist import FORMATS, Category, taxonomy
from cutscore.benchmarks.covebench.construction.similarity import PairSimilarity, compare_texts, split_words
from cutscore.benchmarks.covebench.construction.topics import (
    TOPICS_FILE,
    find_topics,
    read_topics,
    stop_words,
    topic_words,
)
from cutscore.benchmarks.covebench.dataset import EditTask
from cutscore.core.errors import BadInput
from cutscore.core.files import FileStore
from cutscore.core.table import Column, Table
from cutscore.media import deliverable as door
from cutscore.results.wording import count

WORDS_STEP, SECONDS_STEP = 15, 3
MOST_WORDS = 20
PUBLISHED = PairSimilarity(195_625, 0.0168, 0.0106)
DIMENSIONS = ("Execution Accuracy", "Physical Logic", "Semantic Preservation")
SHARE = Column(name="share", digits=3)


def describe_tasks(items: Sequence[EditTask], store: FileStore, data: Path | None = None) -> list[Table]:
    """Return the figures of a set of tasks as tables; what needs the videos is blank where they are not at hand."""
    films = probe_sources(items, store)
    return [
        count_types(items),
        count_points(items),
        count_words(items),
        count_lengths([film[0] for film in films]),
        count_sizes([film[1] for film in films]),
        count_questions(items),
        count_key_words(items),
        count_topics(items, data),
        compare_instructions(items),
    ]


def count_types(items: Sequence[EditTask]) -> Table:
    """Return how many edits, and how many tasks, have each type of Table 9."""
    edits = Counter((entry.level_1, entry.level_2) for item in items for entry in _edits_of(item))
    of_tasks = (
        {(each.level_1, each.level_2) for each in item.checklist.categories or _edits_of(item)} for item in items
    )
    tasks = Counter(pair for pairs in of_tasks for pair in pairs)
    known = [(dimension, name) for dimension, names in taxonomy().items() for name in names]
    shown = [pair for pair in known if edits[pair] or tasks[pair]]
    total, every = edits.total() or 1, [*known, *sorted({*edits, *tasks} - set(known))]
    of = f"{len(shown)} of {len(known)} types, in {len({pair[0] for pair in shown})} of {len(taxonomy())} dimensions"
    return Table(
        id="types",
        title=f"{edits.total():,} edits of {of}",
        columns=(*_plain("dimension", "type", "edits"), SHARE, *_plain("tasks")),
        rows=tuple((*pair, edits[pair], edits[pair] / total, tasks[pair]) for pair in every),
        note="an edit is a category of a group; a task has what its own categories say, or else its groups'",
        paper="Figure 3a",
    )


def _edits_of(item: EditTask) -> list[Category]:
    return [entry for point in item.checklist.points for entry in point.categories]


def count_points(items: Sequence[EditTask]) -> Table:
    """Return how many tasks have how many edit points."""
    found = [len(item.checklist.edit_points) for item in items]
    note = "groups but for those about preservation; the paper says about 3 in its appendix B and about 4 in I.1"
    made = _histogram("points", "edit points", sorted(Counter(found).items()), of="tasks")
    return made.model_copy(update={"title": f"{_mean(found)} edit points a task", "note": note, "paper": "Figure 3d"})


def count_words(items: Sequence[EditTask]) -> Table:
    """Return how many instructions have how many words."""
    found = [len(item.instruction.split()) for item in items]
    title = f"{_mean(found)} words an instruction, {min(found, default=0)} to {max(found, default=0)}"
    made = _histogram("words", "words", _steps(found, WORDS_STEP, "{0} to {1}"), of="tasks")
    return made.model_copy(update={"title": title, "note": "parted by white space", "paper": "Figure 3b"})


def count_lengths(seconds: Sequence[float]) -> Table:
    """Return how many sources have which length."""
    title = f"Sources of {_mean(seconds)} s" if seconds else "No source is at hand to be measured"
    made = _histogram("lengths", "seconds", _steps(seconds, SECONDS_STEP, "{0} to under {2}"), of="videos")
    return made.model_copy(update={"title": title, "note": "every source once", "paper": "Figure 3e"})


def count_sizes(sizes: Sequence[tuple[int, int]]) -> Table:
    """Return how many sources have which size."""
    found = Counter(sizes).most_common()
    title = f"{count(len(found), 'size')} of picture" if found else "No source is at hand to be measured"
    rows = [(f"{width} x {height}", times) for (width, height), times in found]
    made = _histogram("sizes", "size", rows, of="videos")
    return made.model_copy(update={"title": title, "note": "as shown, every source once", "paper": "Figure 3f"})


def count_questions(items: Sequence[EditTask]) -> Table:
    """Return how many questions there are of each dimension and format."""
    asked = [question for item in items for question in item.checklist.questions]
    found = Counter((question.dimension.strip() or "none", question.format) for question in asked)
    names = [*DIMENSIONS, *sorted({dimension for dimension, _ in found} - set(DIMENSIONS))]
    counts = {name: [found[name, each] for each in FORMATS] for name in names}
    counts["all"] = [sum(found[name, each] for name in names) for each in FORMATS]
    return Table(
        id="questions",
        title=f"{len(asked):,} questions, {_mean([len(item.checklist.questions) for item in items])} a task",
        columns=_plain("dimension", *FORMATS, "all"),
        rows=tuple((name, *each, sum(each)) for name, each in counts.items()),
        note="the paper has 9,990 questions on 626 tasks, 15.96 a task",
    )


def count_key_words(items: Sequence[EditTask]) -> Table:
    """Return the words that most instructions have."""
    texts = [[word for word in split_words(item.instruction) if word not in stop_words()] for item in items]
    tasks, times = (Counter(word for text in texts for word in make(text)) for make in (set, list))
    first = sorted(tasks, key=lambda word: (-tasks[word], -times[word], word))[:MOST_WORDS]
    return Table(
        id="key-words",
        title=f"{len(times):,} different words in instructions",
        columns=_plain("word", "tasks", "times"),
        rows=tuple((word, tasks[word], times[word]) for word in first),
        note=f"the first {MOST_WORDS}, without words of grammar",
        paper="Figure 3c",
    )


def count_topics(items: Sequence[EditTask], data: Path | None) -> Table:
    """Return how many sources have each topic: by a file beside the tasks, or else by words of their descriptions."""
    given = read_topics(data)
    by_source: dict[str, set[tuple[str, str]]] = {}
    for item in items:
        own = {("", topic) for topic in given.get(item.id, ())} if given else find_topics(item.description)
        by_source.setdefault(item.cluster, set()).update(own)
    found = Counter(topic for topics in by_source.values() for topic in topics)
    order = {pair: number for number, pair in enumerate(topic_words())}
    rows = sorted(found, key=lambda pair: (order.get(pair, len(order)), pair))
    rule = f"as {TOPICS_FILE} says" if given else "by words of their descriptions, a rule of ours (topics.toml)"
    bare = sum(not topics for topics in by_source.values())
    return Table(
        id="topics",
        title=f"{len(found)} topics of {len(by_source):,} sources",
        columns=(*_plain("kind", "topic", "videos"), SHARE),
        rows=tuple((*pair, found[pair], found[pair] / len(by_source)) for pair in rows),
        note=f"{rule}; a video may have several, {bare:,} have none",
        paper="Figure 9",
    )


def compare_instructions(items: Sequence[EditTask]) -> Table:
    """Return how alike instructions are, with all words and without those of grammar, beside the published figure."""
    texts = [item.instruction for item in items]
    bare = compare_texts(texts, without=stop_words())
    found = {"all": compare_texts(texts), "no grammar": bare, "published": PUBLISHED}
    return Table(
        id="similarity",
        title="How alike instructions are",
        columns=(*_plain("words", "pairs"), Column(name="mean", digits=4), Column(name="median", digits=4)),
        rows=tuple((name, each.pairs, each.mean, each.median) for name, each in found.items()),
        note="cosine of TF-IDF over all pairs; the paper calls its pairs sampled, but 626 tasks have just so many, "
        "and it does not tell which words it counts",
        paper="section 2.2",
    )


def probe_sources(items: Sequence[EditTask], store: FileStore) -> list[tuple[float, tuple[int, int]]]:
    """Return length in seconds and size of every source that is at hand and can be read."""
    found = []
    for file in {item.source.sha256: item.source for item in items if item.source}.values():
        try:
            probe = door.probe(store.path(file))
        except BadInput:
            continue
        if probe.duration_s is not None:
            found.append((float(probe.duration_s), (probe.width, probe.height)))
    return found


def _steps(values: Sequence[float], step: int, name: str) -> list[tuple[str, int]]:
    """Count values in steps; `name` makes a label of the first, the last and the next whole number of a step."""
    found = Counter(int(value // step * step) for value in values)
    return [(name.format(first, first + step - 1, first + step), times) for first, times in sorted(found.items())]


def _histogram(id: str, what: str, rows: Sequence[tuple[str | int, int]], *, of: str) -> Table:
    total = sum(times for _, times in rows) or 1
    body = tuple((value, times, times / total) for value, times in rows)
    return Table(id=id, title=what, columns=(*_plain(what, of), SHARE), rows=body)


def _mean(values: Sequence[float]) -> str:
    return f"{fmean(values):.2f} (median {median(values):g})" if values else "no"


def _plain(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name=name) for name in names)
