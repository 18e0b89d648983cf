"""The colours of the stage, by the names that people use.

Each is far from the others in hue or lightness, so that a viewer who names colours can be right or wrong, and soft
enough to stand beside the others in one picture.
"""

from typing import Literal, get_args

Colour = Literal[
    "red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "brown", "white", "grey", "black"
]
Rgb = tuple[int, int, int]

COLOURS: tuple[Colour, ...] = get_args(Colour)
RGB: dict[Colour, Rgb] = {
    "red": (214, 58, 56),
    "orange": (240, 140, 40),
    "yellow": (246, 208, 60),
    "green": (70, 160, 84),
    "cyan": (48, 184, 190),
    "blue": (52, 104, 200),
    "purple": (130, 78, 172),
    "pink": (240, 138, 172),
    "brown": (138, 90, 56),
    "white": (244, 242, 236),
    "grey": (140, 144, 150),
    "black": (44, 44, 50),
}
# Those whose names nobody argues about, for scenes in which colour tells things apart.
VIVID: tuple[Colour, ...] = ("red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink")

# What things are made of besides their own colour.
STEEL: Rgb = (182, 190, 200)
IRON: Rgb = (104, 112, 124)
WOOD: Rgb = (200, 150, 96)
DARK_WOOD: Rgb = (138, 94, 58)
INK: Rgb = (54, 48, 58)
CREAM: Rgb = (250, 240, 220)
LEAF: Rgb = (98, 168, 88)
PANE: Rgb = (206, 230, 240)
SNOW: Rgb = (255, 255, 255)

SKINS: tuple[Rgb, ...] = ((246, 212, 184), (226, 178, 140), (186, 132, 94), (128, 86, 60))
HAIRS: tuple[Rgb, ...] = ((62, 44, 36), (34, 30, 32), (150, 92, 48), (214, 170, 96), (120, 112, 110))


def mix(first: Rgb, second: Rgb, share: int) -> Rgb:
    """Mix two colours; share is that of the second, in 256ths.

    >>> mix((0, 0, 0), (255, 255, 255), 128)
    (127, 127, 127)
    """
    a, b, c = (one + ((two - one) * share >> 8) for one, two in zip(first, second, strict=True))
    return a, b, c


def lighten(colour: Rgb, share: int) -> Rgb:
    """Move a colour towards white (share above 0) or black (below 0), in 256ths."""
    return mix(colour, (255, 255, 255) if share > 0 else (0, 0, 0), abs(share))
