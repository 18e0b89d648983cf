"""Tutorials: a scripted visit to a site, played in a browser and filmed on a clock of its own.

visit.py        what is done, said and left on view: VISIT.json
recording.py    plays it and keeps a picture of each event
cursor.py       draws the pointer, and the ring of a click
narration.py    what is said: sound and transcript
film.py         writes NAME.mp4, NAME.vtt and NAME.log.json
action_log.py   the last of these: what was done when, and the spans that tasks need
"""
