"""Synthesis of cases: theme, request, verifiers, facts, labels, script, video (section 3.1, supplement C)."""
