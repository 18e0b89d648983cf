"""Staged edits by type, each with every word about it: clause, options, and questions on execution and realism."""

from fractions import Fraction

from cutscore.benchmarks.covebench.checklist import Category
from cutscore.benchmarks.covebench.staged.script import StagedEdit
from cutscore.stage.edits import Add, Direct, Dress, Edit, Paint, Refilm, Remove, Replace, Restyle, Shift, Speed
from cutscore.stage.palette import Colour
from cutscore.stage.setting import CameraMove, Filter, Light, Shot, Weather
from cutscore.stage.things import Appear, Move, Thing

LENGTH_S = Fraction(2)  # of every staged clip


def move_evenly(thing: str, x: int, y: int) -> Move:
    return Move(thing=thing, at_s=0, for_s=LENGTH_S, x=x, y=y, ease="steady")


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _category(level_1: str, level_2: str, level_3: str) -> Category:
    return Category(level_1=level_1, level_2=level_2, level_3=level_3)


def recolour(thing: str, name: str, old: Colour, new: Colour) -> StagedEdit:
    return StagedEdit(
        category=_category("Subject", "Subject Attribute Modification", "Colour"),
        edits=(Paint(thing=thing, colour=new),),
        target=f"Colour of the {name}",
        clause=f"Make the {old} {name} {new}.",
        question=f"What colour is the {name} in Video B?",
        before=f"The {name} is {old}",
        after=f"The {name} is {new}",
        gone=f"{_a(old)} {name}",
        there=f"In Video B, is there {_a(new)} {name}?",
        differs=f"does the {name} have another colour in Video B than in Video A?",
        plausible=f"In Video B, does the {name} keep one colour throughout the video?",
        flawed=f"In Video B, does the colour of the {name} flicker or spill over its edges?",
    )


def remove_thing(thing: str, name: str) -> StagedEdit:
    return StagedEdit(
        category=_category("Subject", "Subject Removal", name),
        edits=(Remove(thing=thing),),
        target=f"Removal of the {name}",
        clause=f"Remove the {name}.",
        question=f"What is seen in Video B where a {name} could stand?",
        before=f"A {name}",
        after="Only the surroundings",
        gone=f"any part of a {name}",
        there=f"In Video B, is the place of the {name} filled with its surroundings?",
        differs=f"is the {name} of Video A missing in Video B?",
        plausible="In Video B, do the surroundings run on without a seam where something was taken away?",
        flawed=f"In Video B, is there a ghost or a shadow of a {name} without the {name}?",
    )


def replace_thing(thing: str, name: str, kind: str, new: str, width: int) -> StagedEdit:
    return StagedEdit(
        category=_category("Subject", "Subject Replacement", new),
        edits=(Replace(thing=thing, kind=kind, width=width),),
        target=f"Replacement of the {name}",
        clause=f"Replace the {name} with a {new}.",
        question=f"What is in the place of the {name} in Video B?",
        before=f"A {name}",
        after=f"A {new}",
        gone=f"a {name}",
        there=f"In Video B, is there a {new}?",
        differs=f"does a {new} stand in Video B where a {name} stands in Video A?",
        plausible=f"In Video B, does the {new} keep its form throughout the video?",
        flawed=f"In Video B, does the {new} melt into something else or flicker?",
    )


def add_thing(thing: Thing, name: str, where: str) -> StagedEdit:
    return StagedEdit(
        category=_category("Subject", "Subject Addition", name),
        edits=(Add(thing=thing),),
        target=f"A new {name}",
        clause=f"Add {_a(thing.colour)} {name} {where}.",
        question=f"What is seen {where} in Video B?",
        before=f"No {name}",
        after=f"{_a(thing.colour).capitalize()} {name}",
        there=f"In Video B, is there {_a(thing.colour)} {name} {where}?",
        differs=f"does Video B show a {name} {where} that Video A lacks?",
        plausible=f"In Video B, does the {name} stay in its place throughout the video?",
        flawed=f"In Video B, does the {name} appear or vanish while the video plays?",
    )


def change_weather(weather: Weather, words: str, sight: str) -> StagedEdit:
    return _background(
        Dress(weather=weather),
        "Weather Change",
        target="Weather",
        clause=f"Make it {words}.",
        what="the weather",
        before="Clear",
        after=sight,
    )


def change_light(light: Light, words: str, sight: str) -> StagedEdit:
    return _background(
        Dress(light=light),
        "Lighting Change",
        target="Light",
        clause=f"Change the light to {words}.",
        what="the light",
        before="Daylight",
        after=sight,
    )


def _background(edit: Edit, type_: str, *, target: str, clause: str, what: str, before: str, after: str) -> StagedEdit:
    return StagedEdit(
        category=_category("Background", type_, after),
        edits=(edit,),
        target=target,
        clause=clause,
        question=f"How is {what} in Video B?",
        before=before,
        after=after,
        there=f"In Video B, can this be seen throughout: {after.lower()}?",
        differs=f"has {what} changed from Video A to Video B?",
        plausible=f"In Video B, is {what} the same over the whole picture?",
        flawed=f"In Video B, does {what} jump between pictures?",
    )


def change_style(style: Filter, words: str, look: str) -> StagedEdit:
    return StagedEdit(
        category=_category("Style", "Art Style Transfer", words),
        edits=(Restyle(style=(style,)),),
        target="Style",
        clause=f"Show the whole video {words}.",
        question="How does Video B look?",
        before="In its natural colours",
        after=look,
        there=f"In Video B, is the whole picture so: {look.lower()}?",
        differs="has the look of the whole picture changed from Video A to Video B?",
        plausible="In Video B, is the style the same from the first to the last moment?",
        flawed="In Video B, are there patches that are not in the style of the rest?",
    )


def halt(thing: str, name: str) -> StagedEdit:
    clause = f"Let the {name} stand still."
    edit = Direct(thing=thing)
    return _motion(edit, "Motion Type", name=name, clause=clause, before="moves", after="stands still")


def turn_back(thing: str, name: str, x: int, y: int) -> StagedEdit:
    return _motion(
        Direct(thing=thing, changes=(move_evenly(thing, x, y),)),
        "Motion Direction",
        name=name,
        clause=f"Let the {name} move to the left instead of to the right.",
        before="moves to the right",
        after="moves to the left",
    )


def _motion(edit: Edit, type_: str, *, name: str, clause: str, before: str, after: str) -> StagedEdit:
    return StagedEdit(
        category=_category("Motion", type_, after),
        edits=(edit,),
        target=f"Motion of the {name}",
        clause=clause,
        question=f"What does the {name} do in Video B?",
        before=f"It {before}",
        after=f"It {after}",
        there=f"In Video B, is it so that the {name} {after}?",
        differs=f"does the {name} move otherwise in Video B than in Video A?",
        plausible=f"In Video B, is the motion of the {name} even?",
        flawed=f"In Video B, does the {name} jump from place to place?",
    )


def slow_down() -> StagedEdit:
    return StagedEdit(
        category=_category("Motion", "Motion Speed and Amplitude", "Slow motion"),
        edits=(Speed(factor=Fraction(1, 2)),),
        target="Speed",
        clause="Slow everything down to half of its speed.",
        question="How fast is everything in Video B?",
        before="As fast as things usually are",
        after="In slow motion",
        there="In Video B, does everything happen in slow motion?",
        differs="is everything slower in Video B than in Video A?",
        plausible="In Video B, is the slow motion even?",
        flawed="In Video B, do things stop and start again?",
    )


def move_aside(thing: str, name: str, x: int, where: str, old: str) -> StagedEdit:
    return StagedEdit(
        category=_category("Position", "Frame Layout", where),
        edits=(Shift(thing=thing, x=x),),
        target=f"Place of the {name}",
        clause=f"Move the {name} to the {where} of the picture.",
        question=f"Where is the {name} in Video B?",
        before=f"On the {old} of the picture",
        after=f"On the {where} of the picture",
        gone=f"a {name} on the {old} of the picture",
        there=f"In Video B, is the {name} on the {where}?",
        differs=f"is the {name} at another place in Video B than in Video A?",
        plausible=f"In Video B, does the {name} stand firmly where it is?",
        flawed=f"In Video B, is the {name} there twice?",
    )


def pan_right() -> StagedEdit:
    move = CameraMove(at_s=0, for_s=LENGTH_S, x=260)
    return _camera("Camera Movement", Shot(size="medium", to=move), "Pan the camera slowly to the right.", "pans right")


def film_medium(x: int, y: int, words: str) -> StagedEdit:
    clause = f"Film it as a medium shot of {words}."
    return _camera("Shot Scale", Shot(size="medium", x=x, y=y), clause, f"shows {words} in a medium shot")


def _camera(type_: str, shot: Shot, clause: str, after: str) -> StagedEdit:
    return StagedEdit(
        category=_category("Camera", type_, after),
        edits=(Refilm(shots=(shot,)),),
        target="Camera",
        clause=clause,
        question="What does the camera do in Video B?",
        before="It stands still and shows the whole place",
        after=f"It {after}",
        there=f"In Video B, is it so that the camera {after}?",
        differs="is Video B filmed otherwise than Video A?",
        plausible="In Video B, is the picture of the camera steady, without jolts?",
        flawed="In Video B, does the view jump?",
    )


def let_bubbles_rise() -> StagedEdit:
    places = ((180, 820), (520, 700), (860, 860), (1180, 640), (1460, 780))
    edits = tuple(
        Add(
            thing=Thing(id=f"bubble-{n}", kind="ring", colour="white", x=x, y=y, width=90, layer=9),
            changes=(move_evenly(f"bubble-{n}", x, y - 420),),
        )
        for n, (x, y) in enumerate(places, start=1)
    )
    return StagedEdit(
        category=_category("Visual Effects", "Environmental VFX", "Rising bubbles"),
        edits=edits,
        target="Bubbles",
        clause="Let white bubbles rise through the whole picture.",
        question="What floats in the air in Video B?",
        before="Nothing",
        after="White bubbles that rise",
        there="In Video B, do white bubbles rise through the picture?",
        differs="do bubbles rise in Video B and not in Video A?",
        plausible="In Video B, do the bubbles rise evenly?",
        flawed="In Video B, do bubbles pop up or vanish in the middle of the picture?",
    )


def let_sparks_fly(x: int, y: int, name: str) -> StagedEdit:
    spark = Thing(id="spark", kind="spark", colour="yellow", x=x, y=y, width=220, layer=9, seen=False)
    return StagedEdit(
        category=_category("Visual Effects", "Action VFX", "Sparks"),
        edits=(Add(thing=spark, changes=(Appear(thing="spark", at_s=Fraction(1, 2)),)),),
        target="Sparks",
        clause=f"Let sparks fly above the {name}, soon after the start.",
        question=f"What is seen above the {name} in Video B?",
        before="Nothing",
        after="Sparks",
        there=f"In Video B, do sparks fly above the {name}?",
        differs="are there sparks in Video B and none in Video A?",
        plausible="In Video B, do the sparks stay where they began?",
        flawed="In Video B, do the sparks go out and light up again?",
    )
