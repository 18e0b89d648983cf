"""The nouns: frozen, validated types that do no I/O and import nothing else of ours."""
