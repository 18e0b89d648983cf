"""Procedures on video → questions about them: steps, order, causes, what is only seen, errors."""
