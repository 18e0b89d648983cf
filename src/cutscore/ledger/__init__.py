"""Tokens, prices and budgets: what calls cost, and what a run may spend."""
