"""CLVG-Bench, interaction: a film that goes on as its viewer answers, turn by turn."""
