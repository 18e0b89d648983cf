"""The agents that are known here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cutscore.core.frozen import digest_of
from cutscore.core.subject import SubjectSpec
from cutscore.subjects.harness.adapter import HarnessAdapter
from cutscore.subjects.harness.claude_code import ClaudeCode
from cutscore.subjects.harness.codex_cli import CodexCli
from cutscore.subjects.harness.gemini_cli import GeminiCli
from cutscore.subjects.harness.openclaw import OpenClaw
from cutscore.subjects.harness.opencode import OpenCode

if TYPE_CHECKING:
    from cutscore.subjects.harness.subject import HarnessSubject

HARNESSES: Mapping[str, HarnessAdapter] = {
    each.name: each for each in (ClaudeCode(), CodexCli(), GeminiCli(), OpenCode(), OpenClaw())
}


def open_harness(spec: SubjectSpec) -> HarnessSubject:
    """Return an agent as a subject; Stopped where it, or what translates for it, is not installed."""
    from cutscore.models.endpoint.translated import check_translator
    from cutscore.subjects.harness.installed import find_agent
    from cutscore.subjects.harness.subject import HarnessSubject

    adapter = HARNESSES[spec.kind]
    found = find_agent(adapter, spec.version)
    check_translator(adapter.wire, f"agent '{adapter.name}'")
    return HarnessSubject(adapter, found, source_digest=digest_of([adapter.name, found.version]))


def require_agent(spec: SubjectSpec, conditions: Mapping[str, str]) -> None:
    """Raise Stopped for an agent that is not installed here, or for which no box can be had; others pass."""
    if spec.kind not in HARNESSES:
        return
    from cutscore.environments.sandbox.isolation import find_isolation

    open_harness(spec)
    if conditions.get("isolation") != "none":
        find_isolation()
