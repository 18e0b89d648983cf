"""Rows → the paper's tables: by site, by category, with and without the tutorial, what was known and what was done."""
