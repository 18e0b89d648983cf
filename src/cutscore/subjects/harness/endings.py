"""How an agent's work ended: by its own log first, then by its exit code, then by the clock.

A box that was ended for what it used comes before all of them: an agent may have said that it is done in that moment.

turn limit, a limit of the box, the clock   failed: limit; files count as they stand
refused, failed, killed                     failed, with its own words
its model could not be asked                unscored: the same command tries again
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import SubjectFailed, Unscored
from cutscore.environments.sandbox.box import BoxRun
from cutscore.models.endpoint.server import EndpointCall
from cutscore.subjects.harness.adapter import AgentJob, AgentLog

WORDS = 300  # characters of an agent's own words that a failure quotes
# Statuses by which a provider says that it, or our account with it, is at fault, and not the request.
PROVIDER_FAULTS = (401, 402, 403, 408, 429)
_ID = re.compile(r"\b(?:[a-z]{2,8}_)?(?=\w*\d)[0-9A-Za-z]{16,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def conclude(name: str, run: BoxRun, log: AgentLog, calls: Sequence[EndpointCall], job: AgentJob) -> Deliverable:
    """Return what was handed over, or raise why there is nothing better."""
    who = f"agent '{name}'"
    if run.ended in ("memory", "processes", "disk"):
        raise SubjectFailed(who, f"used more {run.ended} than its box has", failure_class="limit")
    if log.ended == "cap" or any("turn limit" in call.error for call in calls):
        raise SubjectFailed(who, f"was ended by its limit of {job.turn_limit} turns", failure_class="limit")
    if log.ended == "refused":
        raise SubjectFailed(who, f"was refused: {quote(log.error)}", failure_class="refused")
    if log.ended == "done":
        return Deliverable(text=last_words(log))
    if run.ended == "time":
        raise SubjectFailed(who, f"was ended by its limit of {job.time_limit_s:g} s", failure_class="limit")
    if not calls:
        said = " ".join(run.logs[1].read_text(errors="replace").split())[-WORDS:]
        raise Unscored(who, f"ended with code {run.code} and never asked its model: {said}")
    raise_failure(who, run, log, calls[-1])
    return Deliverable(text=last_words(log))


def raise_failure(who: str, run: BoxRun, log: AgentLog, last: EndpointCall) -> None:
    """Raise for a failure of the agent or of its model, by what is told of it; nothing is raised for a good end."""
    failed = log.ended == "error" or bool(run.code)
    if failed and (last.status in PROVIDER_FAULTS or last.status >= 500):
        raise Unscored(who, f"its model answered HTTP {last.status}: {quote(last.error)}", "run the same command again")
    if log.ended == "error":
        raise SubjectFailed(who, f"failed: {quote(log.error)}")
    if run.code and run.memory_kills:  # it did not get over the loss of a child
        raise SubjectFailed(who, "used more memory than its box has", failure_class="limit")
    if run.code and run.code > 128:
        raise SubjectFailed(who, f"was killed by signal {run.code - 128}")
    if run.ended == "signal":
        raise SubjectFailed(who, "its box was killed")
    if run.code:
        raise SubjectFailed(who, f"ended with code {run.code}", failure_class="exit_code")


def tell_refusal(log: AgentLog, unanswered: SubjectFailed | Unscored | None, calls: Sequence[EndpointCall]) -> AgentLog:
    """Return the log, ended by a refusal where the model's last answer to the main agent was one.

    Some agents say then that they are done.
    """
    refused = isinstance(unanswered, SubjectFailed) and unanswered.failure_class == "refused"
    if unanswered is None or not refused or not calls or calls[-1].by != "main":
        return log
    return replace(log, ended="refused", error=unanswered.fact)


def quote(text: str) -> str:
    """Return the beginning of somebody's words, without the ids that differ from run to run.

    >>> quote("API error for req_011CSHoEeqs5C35K2UUqR7Fy: overloaded")
    'API error for …: overloaded'
    """
    return _ID.sub("…", " ".join(text.split()))[:WORDS]


def last_words(log: AgentLog) -> str:
    """Return what the main agent said last."""
    return next((step.said for step in reversed(log.steps) if step.by == "model" and step.parent is None), "")


def is_cut_off(run: BoxRun | None) -> bool:
    """Return whether somebody ended the agent in the midst of its work, so that its log may lack the last answer."""
    return run is None or run.ended != "exited" or bool(run.code and run.code > 128)
