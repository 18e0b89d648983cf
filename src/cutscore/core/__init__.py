"""The types of the field: frozen, validated, without I/O; they import nothing else of ours."""
