"""Groups that an untouched video passes: a judge is asked the whole checklist with the source as Video B."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cutscore.authoring.build_folder import BuildFolder
from cutscore.benchmarks.covebench.checklist import EditPoint
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.mark import ask_checklist
from cutscore.benchmarks.covebench.scores import is_right
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import CellJudge, JudgeSession, JudgeSpec, Wait
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import Tally
from cutscore.ledger.spending import Ledger
from cutscore.redaction import redactor
from cutscore.registry import benchmark
from cutscore.scoring.judges.choose import asks_model, open_judge
from cutscore.settings import load_settings

NEED_ITEMS = ("truth", "stage", "people", "answers")


@dataclass(frozen=True)
class SourceJudge:
    """A judge of sources, for one build: its calls are kept in the build's folder and paid from the build's purse."""

    judge: CellJudge
    out: BuildFolder
    ledger: Ledger
    wait: Wait

    def find_passed(self, item: EditTask) -> list[EditPoint]:
        """Return the edit points all of whose questions the source answers as expected.

        A question that the judge leaves open is not answered as expected, so its group stays.
        """
        assert item.source is not None
        evidence = Evidence(files=(item.source.model_copy(update={"name": EDITED}),)).bind(self.out.store)
        session = JudgeSession(
            item.id,
            SubjectSpec(kind="null", label="null"),
            self.wait,
            tally=Tally(purse=self.ledger.purse("source")),
            clean=redactor(names=load_settings().secret_env).text,
        )
        said = ask_checklist(self.judge.for_sample(session), evidence, item, everywhere=True)
        answers = {id: each.answer for id, each in said.items()}
        return [
            point
            for point in item.checklist.edit_points
            if all(is_right(each, answers.get(each.id)) for each in point.objective)
        ]


@contextmanager
def open_source_judge(name: str, out: BuildFolder, ledger: Ledger) -> Iterator[SourceJudge | None]:
    """Open the judge of sources of a name, with an event loop for its calls; nobody judges where there is no name."""
    if not name:
        yield None
        return
    from anyio.from_thread import start_blocking_portal

    from cutscore.models.provider import require_reachable

    if (kind := name.partition(":")[0]) in NEED_ITEMS:
        fact = f"'{kind}' answers by what is known of the items, and there are none yet"
        raise BadInput(f"--set judge={name}", fact, "name a model, or reader")
    if asks_model(name):
        require_reachable(name)
    judge = open_judge(JudgeSpec(name, journal=out.work / "judged.jsonl", own_data=True), benchmark("covebench"))
    with start_blocking_portal() as portal:
        yield SourceJudge(judge, out, ledger, portal.call)
