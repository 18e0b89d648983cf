"""The four gates of a task: authoring, asset, expert, verifier (§2.8 of AgenticVBench)."""
