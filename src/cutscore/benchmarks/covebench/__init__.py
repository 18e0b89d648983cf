"""CoVEBench: does an editor do all that a compositional instruction asks, believably, and leave the rest alone?"""
