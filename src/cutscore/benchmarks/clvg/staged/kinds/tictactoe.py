"""Three in a row: one disc is put on the only cell that wins, or that keeps the other side from winning."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from cutscore.benchmarks.clvg.staged.films import begin_with, film_scene, make_scene
from cutscore.benchmarks.clvg.staged.kind import Settings, StagedCase, StagedContext, StagedKind
from cutscore.benchmarks.clvg.staged.looking import UNIT, WatchedFilm, colour_masks, find_standstill, watch
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.judgement import Weakness
from cutscore.media.footage import Footage
from cutscore.media.orientation import Pixels
from cutscore.stage.palette import Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Place
from cutscore.stage.things import Change, Move, Thing

LENGTH_S, GOES_S = Fraction(3), (Fraction(3, 10), Fraction(27, 10))
LEFT, TOP, STEP, WAITING = 400, 190, 260, (1350, 450)
ARCS = (0, 120)  # of the way that the disc takes in the two right films
WIDTH = 150
FULL = 0.4  # share of the middle of a cell that has a colour, from which on a disc lies there
EMPTY = "."


class BoardPosition(FrozenModel):
    """A board of nine cells in rows, and the cell that the moving side has to take.

    Args:
        board: `X` is the moving side, `O` the other, a point an empty cell.
        miss: An empty cell that is not right.
    """

    mover: Colour
    other: Colour
    board: str
    answer: int
    miss: int

    @property
    def after(self) -> str:
        """The board with the right move made."""
        return self.board[: self.answer] + "X" + self.board[self.answer + 1 :]


def _middle(cell: int) -> tuple[int, int]:
    return LEFT + STEP * (cell % 3), TOP + STEP * (cell // 3)


def _scene(position: BoardPosition, to: int, *, arc: int = ARCS[0]) -> Scene:
    """Return the scene in which the waiting disc is put on a cell."""
    centre, long = LEFT + STEP, 3 * STEP
    lines = [
        *(("across", centre, TOP + STEP // 2 + STEP * n, long, 14) for n in range(2)),
        *(("down", LEFT + STEP // 2 + STEP * n, TOP + STEP, 14, long) for n in range(2)),
    ]
    things = [
        Thing(id=f"{name}-{n}", kind="wall", colour="black", x=x, y=y, width=width, height=height)
        for n, (name, x, y, width, height) in enumerate(lines)
    ]
    for cell, mark in enumerate(position.board):
        if mark != EMPTY:
            colour = position.mover if mark == "X" else position.other
            x, y = _middle(cell)
            things.append(Thing(id=f"disc-{cell}", kind="circle", colour=colour, x=x, y=y, width=WIDTH))
    x, y = WAITING
    things.append(Thing(id="moved", kind="circle", colour=position.mover, x=x, y=y, width=WIDTH, layer=1))
    (start_s, end_s), (x, y) = GOES_S, _middle(to)
    way: Change = Move(thing="moved", at_s=start_s, for_s=end_s - start_s, x=x, y=y, arc=arc)
    table = Place(backdrop="tabletop", colour="white")
    return make_scene("tictactoe", LENGTH_S, places=(table,), things=tuple(things), changes=(way,))


def _context(settings: Settings, store: FileStore) -> StagedContext:
    position = BoardPosition.model_validate(settings)
    return begin_with(_scene(position, position.answer), store)


def _film(settings: Settings, variant: int) -> Footage:
    position = BoardPosition.model_validate(settings)
    return film_scene(_scene(position, position.answer, arc=ARCS[variant]))


def _spoil(settings: Settings, code: str) -> Footage:
    position = BoardPosition.model_validate(settings)
    return film_scene(_scene(position, position.miss if code == "goal_missed" else position.board.index("O")))


def _verify(path: Path, settings: Settings) -> Sequence[Weakness]:
    position, film = BoardPosition.model_validate(settings), watch(path)
    return find_standstill(film) or _find_weakness(film, position)


def _find_weakness(film: WatchedFilm, position: BoardPosition) -> list[Weakness]:
    if read_board(film.pictures[0], position) != position.board:
        return [film.weakness("goal_missed", "The game does not begin as the first picture shows it.", 0)]
    last = len(film.pictures) - 1
    ended = read_board(film.pictures[last], position)
    if ended == position.after:
        return []
    changed = [cell for cell, (one, two) in enumerate(zip(position.board, ended, strict=True)) if one != two]
    if len(changed) > 1 or any(position.board[cell] != EMPTY or ended[cell] != "X" for cell in changed):
        text = f"The board ends as {ended}, which no single move makes of {position.board}."
        return [film.weakness("illegal_step", text, last)]
    text = "No disc is put on the board." if not changed else f"The disc is put on cell {changed[0] + 1}."
    return [film.weakness("goal_missed", f"{text} The right one is cell {position.answer + 1}.", last)]


def read_board(pixels: Pixels, position: BoardPosition) -> str:
    """Return which discs lie on the nine cells, as letters."""
    masks = colour_masks(pixels, [position.mover, position.other])
    reach, found = round(WIDTH / 2 / UNIT), ""
    for cell in range(9):
        x, y = (round(each / UNIT) for each in _middle(cell))
        part = (slice(y - reach, y + reach), slice(x - reach, x + reach))
        shares = {"X": masks[position.mover][part].mean(), "O": masks[position.other][part].mean()}
        best = max(shares, key=lambda mark: shares[mark])
        found += best if shares[best] >= FULL else EMPTY
    return found


KIND = StagedKind(
    cases=(
        StagedCase(
            name="three-in-a-row",
            kind="tictactoe",
            subcategory="games_logic",
            instruction="Red is to move in this game of three in a row. The red disc beside the board is put on the "
            "cell where it wins at once. Nothing else is moved. Seen from above; the camera stands still.",
            settings={"mover": "red", "other": "blue", "board": "X.O.XO...", "answer": 8, "miss": 6},
        ),
        StagedCase(
            name="stop-three",
            kind="tictactoe",
            subcategory="games_logic",
            instruction="Green is to move in this game of three in a row, and purple threatens to win. The green disc "
            "beside the board is put on the only cell that stops it. Nothing else is moved. Seen from above; the "
            "camera stands still.",
            settings={"mover": "green", "other": "purple", "board": "O.X.O....", "answer": 8, "miss": 7},
        ),
    ),
    context=_context,
    film=_film,
    plants=("goal_missed", "illegal_step"),
    spoil=_spoil,
    verify=_verify,
)
