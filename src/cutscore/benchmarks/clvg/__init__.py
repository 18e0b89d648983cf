"""CLVG-Bench: make a video from a context of any modality."""
