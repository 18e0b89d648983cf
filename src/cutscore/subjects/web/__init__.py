"""Agents that do tasks in a browser after a tutorial video: they see pages and words, and say one action at a time.

agent.py        who they are: the whole clip, its frames, or a summary of it
browsing.py     the run: page → words → action, until they stop or the world ends it
tutorial.py     what of the tutorial is shown, and the record of it
transcript.py   what is said in the tutorial: its subtitles, else as a recogniser hears it
page.py         what is told of a page
person.py       somebody who does the tasks by hand, on a page that desk_server.py serves
message.py      parts of a message: words, and pictures by reference

The world is the benchmark's and is reached by `act` alone; so are the prompts, and no agent knows whose they are.
"""
