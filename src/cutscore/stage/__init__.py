"""The stage: a scene, written as data, becomes footage and the truth about it.

scene.py, things.py     the language: what stands where, what happens when, who films it, who speaks
states.py, physics.py   what everything is like at a time, exactly
camera.py               where the camera looks
layout.py               what is drawn in a frame, and where: the one list that pixels and truth both come from
paint.py, figures/      polygons → pixels; what a cup, a cook and a hammer look like
backdrops.py, weather.py, style.py, text.py
render.py, sound.py, speech.py
timeline.py, graph.py   the truth: what happened when; what was seen where, frame by frame
edits.py, renaming.py   scenes from scenes
library/                scenes to start from
"""
