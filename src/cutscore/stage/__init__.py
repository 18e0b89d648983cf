"""The stage: a scene, written as data, becomes footage and the truth about it.

One list of what is drawn in a frame (`layout.py`) is what both the pixels and the truth are made from:

    scene, setting, things      the language: what stands where, what happens when, who films it, who speaks
    states, physics, camera     what everything is like at a time, exactly
    layout                      what is drawn in a frame, and where
    figures, paint, blend       what a cup, a cook and a hammer look like; polygons → pixels
    backdrops, weather, style, captions, text
    render, sheet               frames, clips, contact sheets
    sound, tones, speech        cues, knocks, rain, voices
    timeline, graph             the truth: what happens when; what is seen where, frame by frame
    edits, differences, retiming, renaming      scenes from scenes
    library                     scenes to start from

Everything is integers or fractions, so that equal scenes give equal bytes on every machine.
"""
