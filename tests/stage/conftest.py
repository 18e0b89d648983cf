"""Small scenes whose truth is plain from their text."""

import pytest

from cutscore.stage.scene import Scene
from cutscore.stage.setting import CameraMove, Caption, Cue, Place, SceneLine, SceneStep, Shot
from cutscore.stage.things import Fill, Join, Move, Rotate, Thing


@pytest.fixture
def pour() -> Scene:
    """Four seconds, 320×180 at 10 frames a second: a cook takes a jug (1–2 s) and fills a glass to 0.8 (2–3 s).

    A wide shot until 2 s, then a medium one on the glass, in which the camera zooms in from 3 s on.
    """
    return Scene(
        name="pour",
        title="Pour juice",
        length_s=4,
        width=320,
        height=180,
        rate=10,
        places=(Place(backdrop="kitchen", colour="yellow"),),
        things=(
            Thing(id="cook", kind="person", colour="red", x=560, y=560, layer=-1),
            Thing(id="counter", kind="counter", colour="green", x=800, y=800),
            Thing(id="glass", kind="glass", x=900, y=640, layer=1, filling="orange"),
            Thing(id="jug", kind="jug", colour="blue", x=700, y=620, layer=2, fill="0.9", filling="orange"),
        ),
        steps=(
            SceneStep(
                id="take",
                start_s=1,
                end_s=2,
                verb="take",
                actor="cook",
                tool="jug",
                text="Take the jug",
                changes=(Join(thing="jug", at_s=1, to="cook"), Move(thing="jug", at_s=1, for_s=1, x=800, y=500)),
            ),
            SceneStep(
                id="pour",
                start_s=2,
                end_s=3,
                verb="pour",
                actor="cook",
                tool="jug",
                objects=("glass",),
                because=("take",),
                why="the glass is empty",
                text="Fill the glass",
                changes=(
                    Rotate(thing="jug", at_s=2, for_s="1/2", to=45),
                    Fill(thing="glass", at_s=2, for_s=1, to="4/5", ease="steady"),
                ),
            ),
        ),
        shots=(Shot(), Shot(start_s=2, size="medium", on="glass", to=CameraMove(at_s=3, for_s=1, zoom="5/4"))),
        captions=(Caption(start_s=1, end_s=2, text="Take the jug"),),
        lines=(SceneLine(start_s=0, text="Now fill the glass", speaker="cook"),),
        cues=(Cue(at_s=2, for_s=1, sound="pour"),),
    )
