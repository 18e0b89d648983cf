#!/bin/sh
# Install the command-line agents where their tests find them: five npm packages at their pins, 2 GB together, in a folder
# of their own. The registry is that of the user's npm.
# Without npm or a registry: one sentence for each agent that cannot be had, and its tests are skipped.
# Silent when they are there already. Always exits 0: a missing agent skips tests, it fails none.
set -u

target=${1:-.venv/share/cutscore/agents}
cutscore=${2:-.venv/bin/cutscore}

mkdir -p "$target" 2>/dev/null || {
  echo "agents are missing: they cannot be written to $target; their tests will be skipped" >&2
  exit 0
}
for agent in claude_code codex_cli gemini_cli opencode openclaw; do
  said=$(CUTSCORE_AGENTS="$target" "$cutscore" agents install "$agent" 2>&1 >/dev/null) || {
    said=$(printf '%s' "$said" | tail -n 1)
    echo "agent $agent is missing: ${said:-$cutscore does not start}; its tests will be skipped" >&2
  }
done
exit 0
