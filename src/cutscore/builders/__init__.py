"""The author's side: footage → items with planted truth."""
