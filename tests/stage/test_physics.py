from fractions import Fraction as F

from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.stage.physics import FLOOR, Disc, Motion, simulate
from cutscore.stage.setting import World

OPEN = World(left=F(-(10**5)), right=F(10**5), top=F(-(10**5)), floor=F(10**5), gravity=F(0), bounce=F(1))
ROOM = World(left=F(0), right=F(1600), top=F(-4000), floor=F(800), gravity=F(1600), bounce=F(3, 4))


def disc(x: int, y: int, *, vx: int = 0, vy: int = 0, radius: int = 50, from_s: F = F(0)) -> Disc:
    return Disc(F(x), F(y), F(radius), F(vx), F(vy), from_s)


def test_a_fall_is_a_parabola() -> None:
    flight = simulate({"a": disc(100, 100)}, ROOM, F(1)).flights["a"]
    x, y = flight.at(F(1, 2))
    assert x == 100
    assert abs(y - (100 + F(1600) * F(1, 4) / 2)) < F(1, 1000)


def test_it_bounces_where_the_floor_is() -> None:
    """From 650 units above its resting place it needs √(2·650/1600) = 0.9014 s."""
    motion = simulate({"a": disc(100, 100)}, ROOM, F(3))
    first = motion.hits[0]
    assert (first.one, first.other) == ("a", FLOOR)
    assert abs(float(first.at_s) - 0.90139) < 1e-3
    assert abs(float(motion.flights["a"].at(first.at_s)[1]) - 750) < 0.1


def test_it_comes_to_rest_on_the_floor() -> None:
    motion = simulate({"a": disc(100, 100)}, ROOM, F(30))
    assert motion.flights["a"].at(F(30)) == (100, 750)
    assert len(motion.hits) < 30


def test_equal_discs_swap_their_speeds() -> None:
    """The first moves at 200 units a second and is 200 − 100 = 100 units away from contact: half a second."""
    motion = simulate({"a": disc(0, 0, vx=200), "b": disc(200, 0)}, OPEN, F(2))
    (hit,) = motion.hits
    assert (hit.one, hit.other) == ("a", "b")
    assert abs(hit.at_s - F(1, 2)) < F(1, 1000)
    assert abs(motion.flights["a"].at(F(2))[0] - 100) < 1
    assert abs(motion.flights["b"].at(F(2))[0] - 500) < 1


def test_a_disc_waits_until_it_is_let_go() -> None:
    motion = simulate({"a": disc(100, 100, from_s=F(1))}, ROOM, F(2))
    assert motion.flights["a"].at(F(1)) == (100, 100)
    assert motion.flights["a"].at(F(3, 2))[1] > 200


def test_a_blow_lets_go_of_a_held_disc() -> None:
    motion = simulate({"a": disc(0, 0, vx=200), "b": disc(200, 0, from_s=F(10))}, OPEN, F(2))
    assert motion.flights["b"].at(F(2))[0] > 400


def test_a_disc_may_lie_on_others_quietly() -> None:
    """Two lie on the floor side by side between walls, and a third comes to lie on both."""
    walls = World(left=F(0), right=F(210), top=F(-4000), floor=F(800), gravity=F(1600), bounce=F(3, 4))
    discs = {"left": disc(52, 750), "right": disc(156, 750), "top": disc(104, 300)}
    motion = simulate(discs, walls, F(12))
    x, y = motion.flights["top"].at(F(12))
    assert 600 < y < 672
    assert abs(x - 104) < 5
    assert 4 < len(motion.hits) < 60
    assert motion.hits[-1].at_s < 8


SPEED = st.integers(-900, 900)


@settings(max_examples=20)
@given(st.lists(st.tuples(SPEED, SPEED), min_size=1, max_size=4))
def test_nothing_leaves_the_room_and_nothing_ends_up_inside_another(speeds: list[tuple[int, int]]) -> None:
    discs = {f"d{n}": disc(200 + 300 * n, 300, vx=vx, vy=vy) for n, (vx, vy) in enumerate(speeds)}
    motion = simulate(discs, ROOM, F(2))
    for tenth in range(21):
        places = [motion.flights[name].at(F(tenth, 10)) for name in discs]
        for x, y in places:
            assert 49 <= x <= 1551
            assert y <= 751
        for n, (ax, ay) in enumerate(places):
            for bx, by in places[n + 1 :]:
                assert (ax - bx) ** 2 + (ay - by) ** 2 > 60**2


def energy(motion: Motion, at_s: F) -> float:
    """Kinetic energy without gravity, by positions a 64th of a second apart."""
    step = F(1, 64)
    total = 0.0
    for flight in motion.flights.values():
        (x0, y0), (x1, y1) = flight.at(at_s), flight.at(at_s + step)
        total += float((x1 - x0) ** 2 + (y1 - y0) ** 2)
    return total


def test_energy_is_kept_when_nothing_is_lost() -> None:
    walls = World(left=F(0), right=F(1600), top=F(0), floor=F(900), gravity=F(0), bounce=F(1))
    discs = {"a": disc(200, 200, vx=700, vy=310), "b": disc(900, 500, vx=-450), "c": disc(500, 600, vy=-520)}
    motion = simulate(discs, walls, F(5))
    assert len(motion.hits) > 8
    times = [F(n, 8) for n in range(39)]
    quiet = [at_s for at_s in times if not any(at_s <= hit.at_s <= at_s + F(1, 64) for hit in motion.hits)]
    first = energy(motion, quiet[0])
    assert all(abs(energy(motion, at_s) / first - 1) < 0.01 for at_s in quiet)
