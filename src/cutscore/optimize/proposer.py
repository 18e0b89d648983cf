"""A prompt and feedback → the text that an optimiser reads, and the prompt in its reply.

Feedback may quote what a video says, so it stands behind the fence that judges know, in requests whose marks nobody can
foresee. The reply has to repeat the seal of its request; a prompt that repeats the fence's own mark has copied from
behind it and is refused.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cutscore.core.frozen import digest_of
from cutscore.optimize.candidates import UNMARKED, CandidateRules
from cutscore.optimize.problem import MarkedSample
from cutscore.prompts import Prompt, load_prompts
from cutscore.scoring.judges.fence import Fence

FOLDER = Path(__file__).parent / "prompts"
QUESTIONS = Path(__file__).parent / "questions"  # that a judge is asked about plain files
REFLECT, GRADIENT, UPDATE, CONSTRAINTS = "reflect", "gradient", "update", "constraints"
MOST_FEEDBACK_CHARS = 4_000  # of one sample: a video that talks without end must not crowd out the others


@dataclass(frozen=True)
class OptimizerRequest:
    """What an optimiser reads, with the marks in it."""

    text: str
    fence: Fence


@dataclass(frozen=True)
class ProposedPrompt:
    """The prompt in a reply, or why there is none that can be used."""

    text: str = ""
    refusal: str = ""


@dataclass(frozen=True)
class PromptWriter:
    """Writes requests to an optimiser, and reads its replies.

    Args:
        prompts: `reflect`, `gradient`, `update` and `constraints`, by name.
    """

    rules: CandidateRules
    prompts: Mapping[str, Prompt] = field(default_factory=lambda: load_prompts(FOLDER))

    def reflect(self, prompt: str, marks: Sequence[MarkedSample]) -> OptimizerRequest:
        """Ask for a new prompt by the feedback of a batch, in one step."""
        return self._request(REFLECT, prompt, feedback=feedback_of(marks), constraints=self._constraints(), seal="")

    def gradient(self, prompt: str, marks: Sequence[MarkedSample]) -> OptimizerRequest:
        """Ask what should change in a prompt, by the feedback of a batch."""
        return self._request(GRADIENT, prompt, feedback=feedback_of(marks))

    def update(self, prompt: str, gradients: Sequence[str]) -> OptimizerRequest:
        """Ask for a new prompt by criticism, the latest last."""
        listed = "\n\n".join(f"Criticism {number}\n{text.strip()}" for number, text in enumerate(gradients, start=1))
        return self._request(UPDATE, prompt, gradients=listed, constraints=self._constraints(), seal="")

    def read(self, reply: str, request: OptimizerRequest) -> ProposedPrompt:
        """Return the prompt in a reply, or the reason for which it is refused."""
        seal = re.escape(request.fence.seal)
        found = re.search(rf"^BEGIN PROMPT {seal}[ \t]*\n(.*?)^END PROMPT {seal}", reply, re.DOTALL | re.MULTILINE)
        if found is None:
            return ProposedPrompt(refusal=UNMARKED)
        text = found[1].strip() + "\n"
        refusal = self.rules.refusal(text, canaries=(request.fence.nonce, request.fence.seal))
        return ProposedPrompt(refusal=refusal) if refusal else ProposedPrompt(text)

    def _constraints(self) -> str:
        named = ", ".join("{{" + blank + "}}" for blank in self.rules.blanks)
        blanks = f" Keep each of these blanks once, letter for letter: {named}." if named else ""
        return self.prompts[CONSTRAINTS].fill(characters=f"{self.rules.most_chars:,}", blanks=blanks).strip()

    def _request(self, name: str, prompt: str, **blanks: str) -> OptimizerRequest:
        template = self.prompts[name]
        fence = Fence.of(digest_of([template.digest, prompt, blanks]))
        if "seal" in blanks:
            blanks["seal"] = fence.seal
        text = template.fill(prompt=prompt.strip(), opening=fence.opening, closing=fence.closing, **blanks)
        return OptimizerRequest(text, fence)


def feedback_of(marks: Sequence[MarkedSample]) -> str:
    """Write what S says of a batch, one paragraph a sample."""
    return "\n\n".join(
        f"Video {number}\n{each.feedback[:MOST_FEEDBACK_CHARS]}" for number, each in enumerate(marks, start=1)
    )
