"""A video-to-video pipeline of diffusers as an editor: it loads once, then edits job by job.

    python edit.py FOLDER --steps 50 --strength 0.8

FOLDER is a pipeline as `save_pretrained` writes it. Jobs come as JSON lines on standard input, and each is answered
with one line. What else libraries print goes to standard error.
"""

import argparse
import json
import sys
from fractions import Fraction

SIDE = 16  # both sides of a picture are multiples of it
EVERY = 4  # frames are a multiple of it, and one more


def main() -> None:
    """Load the pipeline, say so, and work."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder")
    words.add_argument("--steps", type=int, default=50)
    words.add_argument("--strength", type=float, default=0.8)
    words.add_argument("--guidance", type=float, default=5.0)
    words.add_argument("--device", default="")
    given = words.parse_args()
    answers, sys.stdout = sys.stdout, sys.stderr

    import torch
    from diffusers import WanVideoToVideoPipeline

    device = given.device or ("cuda" if torch.cuda.is_available() else "cpu")
    small = {"dtype": torch.bfloat16} if device.startswith("cuda") else {}
    pipeline = WanVideoToVideoPipeline.from_pretrained(given.folder, local_files_only=True, **small).to(device)
    pipeline.set_progress_bar_config(disable=True)
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        answer: dict[str, object] = {}
        try:
            edit(pipeline, json.loads(line), given)
            if device.startswith("cuda"):
                answer = {"gpu_peak_bytes": torch.cuda.max_memory_allocated()}
                torch.cuda.reset_peak_memory_stats()
        except Exception as error:  # noqa: BLE001  # the next job may go well
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def edit(pipeline, job: dict[str, str], given: argparse.Namespace) -> None:
    """Do one job: read the source, run the pipeline, write the video at the rate of the source."""
    import torch

    frames, rate = read_video(job["source"])
    width, height = (side // SIDE * SIDE for side in frames[0].size)
    held = frames + frames[-1:] * (-(len(frames) - 1) % EVERY)
    made = pipeline(
        video=[frame.resize((width, height)) for frame in held],
        prompt=job["instruction"],
        width=width,
        height=height,
        num_inference_steps=given.steps,
        strength=given.strength,
        guidance_scale=given.guidance,
        generator=torch.Generator("cpu").manual_seed(int(job["seed"])),
        output_type="np",
    ).frames[0]
    write_video(job["output"], made[: len(frames)], rate)


def read_video(path: str):
    """Return all pictures, and how many of them there are a second."""
    import av

    with av.open(path) as container:
        stream = container.streams.video[0]
        return [frame.to_image() for frame in container.decode(stream)], Fraction(stream.average_rate)


def write_video(path: str, frames, rate: Fraction) -> None:
    """Write pictures, whose values are from 0 to 1, as H.264."""
    import av

    with av.open(path, "w") as container:
        stream = container.add_stream("libx264", rate=rate, options={"crf": "12"})
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        for frame in frames:
            pixels = (frame.clip(0, 1) * 255).round().astype("uint8")
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode(None))


if __name__ == "__main__":
    main()
