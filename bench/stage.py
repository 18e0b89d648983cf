"""CPU seconds of rendering every scene of the stage's library, against the time that it plays, in one run.

    python bench/stage.py [--seconds 10] [--rounds 2] [SCENE …]

Each scene lasts ten seconds, at 854×480 and 25 frames a second; frames are made raw, one by one, on one core, and are
not encoded. Asked for: at most 1.0 × the time that the scene plays, for every scene. The best round counts, since other
work on the machine only adds.
"""

import argparse
import time

import cv2

from cutscore.stage import library
from cutscore.stage.paint import clear_sprites
from cutscore.stage.render import frames


def cpu_s(name: str, seconds: int) -> float:
    scene = library.scene(name, length_s=seconds)
    clear_sprites()
    began = time.process_time()
    count = sum(1 for _ in frames(scene))
    assert count == seconds * 25
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("scenes", nargs="*", default=list(library.names()))
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    taken = {name: min(cpu_s(name, asked.seconds) for _ in range(asked.rounds)) for name in asked.scenes}
    for name, each in sorted(taken.items(), key=lambda pair: -pair[1]):
        print(f"{name:18}{each:7.2f} CPU s   {each / asked.seconds:5.2f} ×")
    mean = sum(taken.values()) / len(taken)
    worst = max(taken.values()) / asked.seconds
    print(f"{'mean of ' + str(len(taken)):18}{mean:7.2f} CPU s   {mean / asked.seconds:5.2f} ×")
    print(f"worst {worst:.2f} × the time that it plays (wanted: at most 1.00)")


if __name__ == "__main__":
    main()
