"""What the answers of a run say beyond its scores: coverage, kinds of errors, composition, audits, lengths."""
