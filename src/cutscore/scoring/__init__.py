"""What is a deliverable worth? Verifiers say yes or no, metrics give numbers, judges have opinions."""
