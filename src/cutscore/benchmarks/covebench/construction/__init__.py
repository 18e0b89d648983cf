"""Construction of tasks: from footage to instructions and checklists, and the checks on them."""
