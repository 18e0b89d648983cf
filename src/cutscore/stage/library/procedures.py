"""Procedures: an actor behind a counter uses tools on things, step by step, and each step needs what others made."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal

from cutscore.stage.library.acts import Act, snap
from cutscore.stage.library.directing import TIPPED, Director
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Backdrop, Effect, Size
from cutscore.stage.things import Appear, Change, Feel, Fill, Join, Link, Move, Release, Rotate, Vanish

TOP = 700  # where things stand on the counter
_REACH = Fraction(1, 5)  # of a step that it takes to get there, and back
_LONGEST_S = Fraction(3, 2)

Motion = Literal["stir", "chop", "hammer", "saw", "wipe", "hold", "turn"]
# How a tool moves: back and forth by so many units, in so many seconds, and what is heard.
_STROKES: dict[Motion, tuple[int, int, Fraction, Effect | None]] = {
    "stir": (56, 10, Fraction(1, 2), None),
    "chop": (10, -60, Fraction(3, 10), "knock"),
    "hammer": (14, -90, Fraction(2, 5), "knock"),
    "saw": (110, 12, Fraction(2, 5), "buzz"),
    "wipe": (130, 0, Fraction(3, 5), "whoosh"),
    "hold": (0, 0, Fraction(1), None),
    "turn": (0, 12, Fraction(2, 5), None),
}


class Procedure:
    """A procedure in the making.

    `step` says what is done and why; `use`, `carry`, `pour` or `wait` right after it says how.
    """

    def __init__(
        self, name: str, title: str, *, domain: str, backdrop: Backdrop, seed: int, length_s: Fraction, actor: str = ""
    ) -> None:
        self.set = Director(name, title, tags=("procedure", domain), seed=seed, length_s=length_s)
        self.draw = self.set.draw
        self.set.place(backdrop)
        counter = self.set.colour(but=("yellow", "orange"))
        kind = actor or self.draw.choice(("person", "person", "person", "robot"))
        self.side = self.draw.choice((-1, 1))
        look = self.draw.randrange(40)
        colour = self.set.colour(but=(counter,))
        self.set.thing("actor", kind, 800 - 130 * self.side, 560, width=220, colour=colour, layer=-10, look=look)
        self.set.thing("counter", "counter", 800, 800, colour=counter, layer=-5)
        self._made_by: dict[str, str] = {}
        self._steps = 0
        self._verb = self._text = self._why = ""
        self.set.film()
        self.set.beat(Fraction(9, 10), _smile, say=f"{title}.")

    def x(self, place: float) -> int:
        """Return a place along the counter, -1 to 1; which side is which depends on the seed."""
        return round(800 + 640 * place * self.side)

    def put(self, name: str, kind: str, place: float, **fields: Any) -> str:
        """Stand a thing on the counter."""
        layer = fields.pop("layer", 1)
        return self.set.stand(name, kind, self.x(place), TOP, layer=layer, **fields)

    def step(self, verb: str, text: str, *, why: str) -> None:
        """Begin a step: its verb, what is said and written, and the reason for it."""
        self._verb, self._text, self._why = verb, text, why

    def use(
        self,
        tool: str,
        on: str,
        motion: Motion,
        *results: Act,
        and_on: Iterable[str] = (),
        above: float = 40,
        beside: float = 0,
        share: float = 1,
    ) -> None:
        """Take a tool, work with it and put it back; results happen during the work."""
        home_x, home_y = self.set.where(tool)
        x = self.set.where(on)[0] + Fraction(beside)
        y = self.set.top(on) - Fraction(above)
        across, down, stroke_s, sound = _STROKES[motion]

        def act(a: Fraction, b: Fraction) -> list[Change]:
            walked, there, back = _times(a, b)
            changes: list[Change] = [*self._walk(a, walked, home_x, x), Join(thing=tool, at_s=walked, to="actor")]
            changes.append(Move(thing=tool, at_s=walked, for_s=there - walked, x=x, y=y, arc=40))
            count = max(1, int((back - there) / (2 * stroke_s)))
            for n in range(count if across or down else 0):
                out, home = there + 2 * n * stroke_s, there + (2 * n + 1) * stroke_s
                if home + stroke_s <= back:
                    changes.append(Move(thing=tool, at_s=out, for_s=stroke_s, x=x + across, y=y + down))
                    changes.append(Move(thing=tool, at_s=home, for_s=stroke_s, x=x, y=y))
            changes.append(Move(thing=tool, at_s=back, for_s=b - back, x=home_x, y=home_y, arc=40))
            changes.append(Release(thing=tool, at_s=b))
            return changes + [change for result in results for change in result(there, back)]

        cues: list[tuple[Effect, int]] = [] if sound is None else [(sound, 120)] * 3
        self._do((act,), tool=tool, objects=(on, *and_on), cues=cues, share=share)

    def carry(
        self,
        thing: str,
        to: str,
        *results: Act,
        and_on: Iterable[str] = (),
        link: Link = "inside",
        above: float = 0,
        beside: float = 0,
        share: float = 1,
    ) -> None:
        """Carry a thing to another; results happen when it has arrived."""
        home_x, _ = self.set.where(thing)
        x, _ = self.set.where(to)
        y = self.set.top(to) - Fraction(above)

        def act(a: Fraction, b: Fraction) -> list[Change]:
            walked, _, _ = _times(a, b)
            there = snap(walked + min((b - a) * Fraction(1, 2), Fraction(5, 2)))
            changes: list[Change] = [
                *self._walk(a, walked, home_x, x),
                Join(thing=thing, at_s=walked, to="actor"),
                Move(thing=thing, at_s=walked, for_s=there - walked, x=x + Fraction(beside), y=y, arc=120),
                Join(thing=thing, at_s=there, to=to, link=link),
            ]
            return changes + [change for result in results for change in result(there, b)]

        self._do((act,), tool=None, objects=(thing, *and_on, to), cues=[("step", 120)], share=share)

    def pour(
        self,
        source: str,
        into: str,
        to: Fraction | float,
        *results: Act,
        left: Fraction | float = Fraction(0),
        colour: str,
        share: float = 1,
    ) -> None:
        """Fill a vessel from another one; results happen while it flows."""
        home_x, home_y = self.set.where(source)
        way = self.set.plan_pour(source, into, colour)
        stream = way.stream

        def act(a: Fraction, b: Fraction) -> list[Change]:
            walked, there, back = _times(a, b)
            tip = snap((back - there) * Fraction(1, 6))
            flow, stop = there + tip, back - tip
            changes: list[Change] = [
                *self._walk(a, walked, home_x, Fraction(way.x)),
                Join(thing=source, at_s=walked, to="actor"),
                Move(thing=source, at_s=walked, for_s=there - walked, x=way.x, y=way.y, arc=30),
                Rotate(thing=source, at_s=there, for_s=tip, to=TIPPED),
                Appear(thing=stream, at_s=flow, for_s=Fraction(1, 10)),
                Fill(thing=into, at_s=flow, for_s=stop - flow, to=to, ease="steady"),
                Fill(thing=source, at_s=flow, for_s=stop - flow, to=left, ease="steady"),
                Vanish(thing=stream, at_s=stop, for_s=Fraction(1, 10)),
                Rotate(thing=source, at_s=stop, for_s=tip, to=0),
                Move(thing=source, at_s=back, for_s=b - back, x=home_x, y=home_y, arc=30),
                Release(thing=source, at_s=b),
            ]
            return changes + [change for result in results for change in result(flow, stop)]

        self._do((act,), tool=source, objects=(into,), cues=[("pour", 200)], share=share)

    def wait(self, on: str, *results: Act, tool: str | None = None, share: float = 1) -> None:
        """Let time do the work; results happen during it."""
        self._do(results, tool=tool, objects=(on,), cues=[("ding", 990)], share=share)

    def scene(self, ending: str) -> Scene:
        """Return the scene, with a last look at what was made."""
        self.set.film()
        self.set.beat(Fraction(9, 10), _smile, say=ending, cues=[("ding", 660), ("ding", 880)])
        return self.set.scene()

    def _walk(self, a: Fraction, b: Fraction, one: Fraction, other: Fraction) -> list[Change]:
        """Let the actor go to where both can be reached, nearer to the second; nobody walks out of the picture."""
        x = min(max((one + 2 * other) / 3, Fraction(200)), Fraction(1400))
        return [Move(thing="actor", at_s=a, for_s=b - a, x=round(x), y=560)]

    def _do(
        self,
        acts: tuple[Act, ...],
        *,
        tool: str | None,
        objects: tuple[str, ...],
        cues: Iterable[tuple[Effect, int]],
        share: float,
    ) -> None:
        self._steps += 1
        name = f"{self._verb}-{self._steps}"
        because = sorted({self._made_by[each] for each in (*objects, tool or "") if each in self._made_by})
        fields = {
            "id": name,
            "verb": self._verb,
            "text": self._text,
            "actor": "actor",
            "tool": tool,
            "objects": objects,
            "because": tuple(because),
            "why": self._why,
        }
        sizes: tuple[Size, ...] = ("wide", "medium", "medium", "close")
        size = self.draw.choice(sizes)
        self.set.film(size, None if size == "wide" else objects[-1])
        self.set.beat(share, *acts, say=self._text, caption=self._text, cues=cues, step=fields)
        self._made_by.update(dict.fromkeys((*objects, *((tool,) if tool else ())), name))


def _smile(a: Fraction, b: Fraction) -> list[Change]:
    return [Feel(thing="actor", at_s=a, to="happy"), Feel(thing="actor", at_s=b, to="calm")]


def _times(a: Fraction, b: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Return when the actor is there, when the tool is, and when that begins to go back."""
    reach = min((b - a) * _REACH, _LONGEST_S)
    return snap(a + reach * Fraction(2, 3)), snap(a + reach * Fraction(5, 3)), snap(b - reach)
