"""The staged tasks: six places, two or three tasks in each, two to four edits a task, all seven dimensions of editing.

The stage shows no change of material, no other camera angle, no depth of field and no effect that clings to an action
beyond sparks: these types are left out, not faked.
"""

from fractions import Fraction

from cutscore.benchmarks.covebench.staged import edit_words as words
from cutscore.benchmarks.covebench.staged.edit_words import LENGTH_S, move_evenly
from cutscore.benchmarks.covebench.staged.script import StagedEdit, StagedTask
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Move, Thing

RATE, WIDTH, HEIGHT = Fraction(10), 320, 180


def _scene(name: str, title: str, place: Place, things: list[Thing], moves: list[Move]) -> Scene:
    return Scene(
        name=name,
        title=title,
        width=WIDTH,
        height=HEIGHT,
        rate=RATE,
        length_s=LENGTH_S,
        places=(place,),
        things=tuple(things),
        changes=tuple(moves),
    )


PARK = _scene(
    "park",
    "A dog in the park",
    Place(backdrop="park", colour="green"),
    [
        Thing(id="tree", kind="tree", colour="green", x=1300, y=430, width=380),
        Thing(id="bench", kind="bench", colour="brown", x=780, y=620, width=300),
        Thing(id="dog", kind="dog", colour="brown", x=300, y=760, width=260, layer=2),
        Thing(id="ball", kind="ball", colour="red", x=1120, y=790, width=120, layer=3),
    ],
    [move_evenly("dog", 760, 760)],
)
STREET = _scene(
    "street",
    "A car in the street",
    Place(backdrop="street", colour="grey"),
    [
        Thing(id="house", kind="house", colour="orange", x=1240, y=420, width=420),
        Thing(id="fir", kind="fir", colour="green", x=220, y=440, width=220),
        Thing(id="sign", kind="sign", colour="white", x=700, y=520, width=180, text="BAKERY"),
        Thing(id="car", kind="car", colour="blue", x=360, y=760, width=380, layer=2),
    ],
    [move_evenly("car", 900, 760)],
)
SEA = _scene(
    "sea",
    "A boat at sea",
    Place(backdrop="sea", colour="blue"),
    [
        Thing(id="sun", kind="sun", colour="yellow", x=1300, y=160, width=200),
        Thing(id="cloud", kind="cloud", colour="white", x=420, y=170, width=360),
        Thing(id="boat", kind="boat", colour="red", x=500, y=560, width=420, layer=2),
        Thing(id="bird", kind="bird", colour="black", x=1000, y=300, width=150, layer=3),
    ],
    [move_evenly("boat", 860, 560)],
)
ROOM = _scene(
    "room",
    "A robot in the room",
    Place(backdrop="room", colour="purple"),
    [
        Thing(id="table", kind="table", colour="brown", x=1120, y=700, width=520),
        Thing(id="lamp", kind="lamp", colour="yellow", x=1260, y=480, width=160, layer=1),
        Thing(id="book", kind="book", colour="green", x=1000, y=530, width=160, layer=1),
        Thing(id="robot", kind="robot", colour="cyan", x=300, y=620, width=260, layer=2),
    ],
    [move_evenly("robot", 560, 620)],
)
KITCHEN = _scene(
    "kitchen",
    "A cat in the kitchen",
    Place(backdrop="kitchen", colour="orange"),
    [
        Thing(id="bowl", kind="bowl", colour="purple", x=360, y=650, width=260),
        Thing(id="bottle", kind="bottle", colour="green", x=820, y=570, width=120),
        Thing(id="cup", kind="cup", colour="red", x=1180, y=650, width=170),
        Thing(id="cat", kind="cat", colour="black", x=320, y=800, width=280, layer=2),
    ],
    [move_evenly("cat", 820, 800)],
)
FOREST = _scene(
    "forest",
    "A bird in the forest",
    Place(backdrop="forest", colour="green"),
    [
        Thing(id="fir", kind="fir", colour="green", x=260, y=480, width=260),
        Thing(id="stone", kind="stone", colour="grey", x=760, y=760, width=260),
        Thing(id="house", kind="house", colour="orange", x=1240, y=520, width=380),
        Thing(id="bird", kind="bird", colour="blue", x=420, y=230, width=190, layer=3),
    ],
    [move_evenly("bird", 900, 230)],
)


KEPT = {
    "park": {"tree": "the tree", "bench": "the bench", "dog": "the dog", "ball": "the ball"},
    "street": {"house": "the house", "fir": "the fir tree", "sign": "the sign", "car": "the car"},
    "sea": {"sun": "the sun", "cloud": "the cloud", "boat": "the boat", "bird": "the bird"},
    "kitchen": {"bowl": "the bowl", "bottle": "the bottle", "cup": "the cup", "cat": "the cat"},
    "forest": {"fir": "the fir tree", "stone": "the stone", "house": "the house", "bird": "the bird"},
    "room": {"table": "the table", "lamp": "the lamp", "book": "the book", "robot": "the robot"},
}


def _task(name: str, scene: Scene, *edits: StagedEdit) -> StagedTask:
    """Return a task; what its edits do not name is to stay."""
    named = {getattr(edit, "thing", None) for each in edits for edit in each.edits}
    kept = tuple((thing, name) for thing, name in KEPT[scene.name].items() if thing not in named)
    return StagedTask(name=name, scene=scene, edits=edits, kept=kept)


FLOWER = Thing(id="flower", kind="flower", colour="pink", x=520, y=560, width=130, layer=1)
BALLOON = Thing(id="balloon", kind="balloon", colour="purple", x=700, y=220, width=150, layer=4)
STAR = Thing(id="star", kind="star", colour="orange", x=800, y=180, width=180, layer=1)
LEMON = Thing(id="lemon", kind="lemon", colour="yellow", x=600, y=680, width=120, layer=1)
BASKET = Thing(id="basket", kind="basket", colour="brown", x=1020, y=780, width=180, layer=3)
BUCKET = Thing(id="bucket", kind="bucket", colour="blue", x=720, y=790, width=160, layer=3)

TASKS: tuple[StagedTask, ...] = (
    _task(
        "park-1",
        PARK,
        words.recolour("ball", "ball", "red", "blue"),
        words.remove_thing("bench", "bench"),
        words.change_light("night", "night", "Night"),
    ),
    _task(
        "park-2",
        PARK,
        words.replace_thing("dog", "dog", "cat", "cat", 260),
        words.change_weather("rain", "rain", "Rain"),
        words.let_bubbles_rise(),
    ),
    _task(
        "park-3",
        PARK,
        words.halt("dog", "dog"),
        words.add_thing(FLOWER, "flower", "to the left of the bench"),
        words.change_style("sepia", "in sepia", "In shades of brown"),
    ),
    _task(
        "street-1",
        STREET,
        words.recolour("car", "car", "blue", "yellow"),
        words.change_weather("snow", "snow", "Snow"),
        words.move_aside("house", "house", -520, "middle", "right"),
    ),
    _task(
        "street-2",
        STREET,
        words.turn_back("car", "car", 200, 760),
        words.remove_thing("sign", "sign"),
        words.film_medium(-180, 130, "the car and the fir tree"),
    ),
    _task(
        "street-3",
        STREET,
        words.replace_thing("fir", "fir tree", "lantern", "lantern", 150),
        words.add_thing(BALLOON, "balloon", "above the street"),
        words.change_style("grey", "in black and white", "In black, grey and white"),
        words.let_sparks_fly(1240, 160, "house"),
    ),
    _task(
        "sea-1",
        SEA,
        words.recolour("boat", "boat", "red", "green"),
        words.change_light("dusk", "dusk", "Dusk"),
        words.remove_thing("cloud", "cloud"),
    ),
    _task(
        "sea-2",
        SEA,
        words.slow_down(),
        words.add_thing(STAR, "star", "in the middle of the sky"),
        words.recolour("sun", "sun", "yellow", "red"),
    ),
    _task(
        "sea-3",
        SEA,
        words.pan_right(),
        words.replace_thing("bird", "bird", "kite", "kite", 170),
    ),
    _task(
        "room-1",
        ROOM,
        words.move_aside("lamp", "lamp", -1060, "left", "right"),
        words.recolour("robot", "robot", "cyan", "pink"),
        words.change_style("cartoon", "as a cartoon", "Flat colours with dark outlines"),
    ),
    _task(
        "room-2",
        ROOM,
        words.halt("robot", "robot"),
        words.replace_thing("book", "book", "cup", "cup", 130),
        words.let_bubbles_rise(),
    ),
    _task(
        "room-3",
        ROOM,
        words.add_thing(BUCKET, "bucket", "in front of the table"),
        words.remove_thing("lamp", "lamp"),
        words.turn_back("robot", "robot", 120, 620),
        words.change_style("faded", "in faded colours", "In pale colours, like an old photograph"),
    ),
    _task(
        "kitchen-1",
        KITCHEN,
        words.recolour("cup", "cup", "red", "blue"),
        words.remove_thing("bottle", "bottle"),
        words.turn_back("cat", "cat", 140, 800),
    ),
    _task(
        "kitchen-2",
        KITCHEN,
        words.replace_thing("bowl", "bowl", "pot", "pot", 240),
        words.add_thing(LEMON, "lemon", "to the left of the bottle"),
        words.change_style("grey", "in black and white", "In black, grey and white"),
    ),
    _task(
        "forest-1",
        FOREST,
        words.change_weather("fog", "foggy", "Fog"),
        words.remove_thing("stone", "stone"),
        words.move_aside("house", "house", -360, "middle", "right"),
    ),
    _task(
        "forest-2",
        FOREST,
        words.change_light("dusk", "dusk", "Dusk"),
        words.turn_back("bird", "bird", 160, 230),
        words.add_thing(BASKET, "basket", "in front of the house"),
    ),
)
