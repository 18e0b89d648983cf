"""Rows → the paper's tables."""
