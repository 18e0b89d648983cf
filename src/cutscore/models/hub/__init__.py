"""Models from weights that the user names, for the extra `hub`.

They take frames as arrays and give numbers. Nothing here decodes, asks a network or needs more than numpy, torch and
transformers, so they also run on a machine that has nothing else.
"""
