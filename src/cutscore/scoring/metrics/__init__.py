"""Frames → numbers. A metric says which frames it needs and is handed them; one pass decodes for all."""
