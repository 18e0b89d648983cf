"""The names under which a judge finds the two videos of a task."""

EDITED = "edited.mp4"  # what an editor hands over
VIDEO_A = "video-a.mp4"  # the source
