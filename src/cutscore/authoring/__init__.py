"""The author's side: footage → items with planted truth, and what makes sure that their verifiers cannot be fooled."""
