"""One clip → one case: theme and request, three verifiers, a check of facts, a correction, and a film by a script.

    request → three verifiers, each by itself → facts, by another model → an adjudicator where anybody objects
    labels of five decks → script → video of any generator, which then stands in for the footage

What a model is given of a stranger's words is a JSON string: nothing in it can end it.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import SourceClip
from cutscore.authoring.model_writer import ModelWriter
from cutscore.authoring.recipe import RecipeItems
from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.benchmarks.clvg.construction.decks import ScriptLabels
from cutscore.benchmarks.clvg.construction.record import REASONS, CaseRecord, VerifierVote
from cutscore.benchmarks.clvg.construction.references import CaseContext, make_context
from cutscore.benchmarks.clvg.construction.replies import (
    RequestDraft,
    read_correction,
    read_request,
    read_script,
    read_vote,
)
from cutscore.benchmarks.clvg.dataset import GenerationCase, strata
from cutscore.benchmarks.clvg.taxonomy import Subcategory
from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.core.errors import BadInput, SubjectFailed
from cutscore.core.files import FileRef
from cutscore.core.frozen import digest_of
from cutscore.core.subject import Subject, WorkContext
from cutscore.media.deliverable import probe_film

VERIFIERS = 3
SUBJECTS = {"single person": 1, "two people": 2, "multiple people": 3}

Made = RecipeItems[GenerationCase]


@dataclass(frozen=True)
class CaseWriters:
    """Who writes and reads the words of a case; `script` writes nothing where no generator films it."""

    request: ModelWriter
    verifiers: Sequence[ModelWriter]
    facts: ModelWriter
    adjudicator: ModelWriter
    script: ModelWriter


@dataclass(frozen=True)
class CaseMaker:
    """Makes the cases of a build.

    Args:
        kinds, labels: Subcategory and labels of each clip, by its name.
        generator: Films the scripts; None where the footage itself is the context.
    """

    writers: CaseWriters
    kinds: Mapping[str, Subcategory]
    labels: Mapping[str, ScriptLabels]
    out: BuildFolder
    seed: int
    generator: Subject | None = None
    generator_name: str = ""

    def make(self, clip: SourceClip, made: Made) -> None:
        """Add the case of one clip; raise BadInput where none can be made."""
        kind, labels = self.kinds[clip.name], self.labels[clip.name]
        script, source = "", clip
        if self.generator is not None:
            script = self.writers.script.write(clip.ref, read_script, labels=_quote(labels.model_dump()))
            source = replace(clip, **self._film(clip, script))
        context = make_context(kind, source, self.out.store)
        draft = self.writers.request.write(source.ref, read_request, **self._about(kind, context))
        record = self._review(source, kind, context, draft).model_copy(
            update={
                "labels": labels if script else None,
                "script": script,
                "scripted_by": self.writers.script.model if script else "",
                "made_by": self.generator_name if script else "",
                "sources": (clip.ref.sha256,),
            }
        )
        made.add(self._make_item(kind, context, record, clip, float(source.length_s)), clip, author=record.written_by)

    def _review(self, clip: SourceClip, kind: Subcategory, context: CaseContext, draft: RequestDraft) -> CaseRecord:
        """Have a request verified; where anybody objects, have it written anew, or refuse the clip."""
        writers, about = self.writers, {**self._about(kind, context), "request": _quote(draft.request)}
        reasons = "\n".join(f"- `{name}`: {words}" for name, words in REASONS.items())
        told = {**about, "reasons": reasons}
        # Numbered, so that a model that sits in several places is asked as often.
        votes = (
            *(
                each.write(clip.ref, partial(read_vote, by=each.model), **told, number=str(number))
                for number, each in enumerate(writers.verifiers, start=1)
            ),
            writers.facts.write(clip.ref, partial(read_vote, by=writers.facts.model), **told),
        )
        record = CaseRecord(
            theme=draft.theme,
            drafted=draft.request,
            written_by=writers.request.model,
            state="accepted",
            votes=votes,
            prompts={each.prompt.name: each.prompt.digest for each in self._all_writers()},
        )
        if all(vote.accept for vote in votes):
            return record
        said = writers.adjudicator.write(clip.ref, read_correction, **about, objections=_quote(_objections(votes)))
        if not said.keep:
            raise BadInput("request", f"was dropped by {writers.adjudicator.model}: {said.because}")
        return record.model_copy(
            update={
                "state": "corrected",
                "corrected_by": writers.adjudicator.model,
                "because": said.because,
                "corrected": said.request,
            }
        )

    def _all_writers(self) -> tuple[ModelWriter, ...]:
        writers = self.writers
        return (writers.request, *writers.verifiers[:1], writers.facts, writers.adjudicator, writers.script)

    def _about(self, kind: Subcategory, context: CaseContext) -> dict[str, str]:
        pieces = [f"{part.role}: {part.file.rpartition('.')[2]} file" for part in context.parts]
        return {"category": kind.category.replace("_", " "), "subcategory": kind.title, "pieces": _quote(pieces)}

    def _film(self, clip: SourceClip, script: str) -> dict[str, Any]:
        """Return what a generator made of a script, in place of a clip; it is made once, whatever kills the build."""
        name = f"films/{digest_of([clip.ref.sha256, script, self.generator_name, self.seed])[:16]}.mp4"

        def make(draft: Path) -> None:
            ref = asyncio.run(self._generate(clip.name, script))
            draft.write_bytes(self.out.store.path(ref).read_bytes())

        path = self.out.once(name, make)
        found = probe_film(path)
        ref = self.out.store.put(path, name=f"{clip.name}.mp4", media_type="video/mp4")
        heard = any(stream.kind == "audio" for stream in found.streams)
        return {"ref": ref, "path": path, "length_s": found.duration_s or clip.length_s, "has_sound": heard}

    async def _generate(self, item: str, script: str) -> FileRef:
        assert self.generator is not None
        ask = Ask(
            item=item,
            brief=script,
            wanted=(RequestedFile(name=GENERATED),),
            parts=(AskPart(role="instruction", text=script),),
        )
        workspace = self.out.fresh(f"generating/{item}")
        context = WorkContext(store=self.out.store, make_workspace=lambda: workspace, epoch=1, seed=self.seed)
        try:
            done = await self.generator.work(ask, context)
        except SubjectFailed as failure:
            raise BadInput("generator", f"made no video: {failure.fact}") from failure
        if (ref := done.file(GENERATED)) is None:
            raise BadInput("generator", f"made no video: {done.failure or 'it handed over nothing'}")
        return ref

    def _make_item(
        self, kind: Subcategory, context: CaseContext, record: CaseRecord, clip: SourceClip, length_s: float
    ) -> GenerationCase:
        item = GenerationCase(
            id=f"case-{digest_of([clip.ref.sha256, kind.code, self.seed])[:8]}",
            cluster=clip.name,
            subcategory=kind.code,
            instruction=record.request,
            files=context.files,
            context=context.parts,
            length_s=round(length_s, 3),
            subjects=SUBJECTS[record.labels.subject] if record.labels else 0,
            construction=record.model_dump(mode="json"),
        )
        return item.model_copy(update={"groups": strata(item)})


def _objections(votes: Sequence[VerifierVote]) -> list[dict[str, object]]:
    return [{"reasons": list(vote.reasons), "note": vote.note} for vote in votes if not vote.accept]


def _quote(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False)
