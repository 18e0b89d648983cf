"""The agents that are known here."""

from collections.abc import Mapping

from cutscore.core.frozen import digest_of
from cutscore.core.subject import SubjectSpec
from cutscore.subjects.harness.adapter import HarnessAdapter
from cutscore.subjects.harness.claude_code import ClaudeCode

HARNESSES: Mapping[str, HarnessAdapter] = {each.name: each for each in (ClaudeCode(),)}


def open_harness(spec: SubjectSpec) -> "HarnessSubject":  # noqa: F821
    """Return an agent as a subject; Stopped where it is not installed."""
    from cutscore.subjects.harness.installed import find_agent
    from cutscore.subjects.harness.subject import HarnessSubject

    adapter = HARNESSES[spec.kind]
    found = find_agent(adapter, spec.version)
    return HarnessSubject(adapter, found, source_digest=digest_of([adapter.name, found.version]))
