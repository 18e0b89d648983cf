"""Worlds to act in that more than one benchmark uses: a box with media tools."""
