"""What the films of a case are called, where they are asked for and where they are marked."""


def film_name(turn: int) -> str:
    """Return the file that is asked for in a turn, as released videos are named.

    >>> film_name(2)
    'turn_2.mp4'
    """
    return f"turn_{turn}.mp4"
