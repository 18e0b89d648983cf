"""Where every second of a film comes from, recovered from pictures and sound."""
