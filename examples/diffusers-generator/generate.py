"""A text- or image-to-video pipeline of diffusers as a generator: it loads once, then makes videos job by job.

    python generate.py FOLDER --steps 50 --frames 81

FOLDER is a pipeline as `save_pretrained` writes it; which pipeline it is stands in there. One that takes an image is
given the job's `first_frame`, or the first reference. Jobs come as JSON lines on standard input, and each is answered
with one line. What else libraries print goes to standard error.
"""

import argparse
import inspect
import json
import sys

EVERY = 4  # frames are a multiple of it, and one more
PICTURES = ("first_frame", "source", "subject", "reference")


def main() -> None:
    """Load the pipeline, say so, and work."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder")
    words.add_argument("--steps", type=int, default=50)
    words.add_argument("--frames", type=int, default=81)
    words.add_argument("--rate", type=int, default=16)
    words.add_argument("--width", type=int, default=832)
    words.add_argument("--height", type=int, default=480)
    words.add_argument("--device", default="")
    given = words.parse_args()
    answers, sys.stdout = sys.stdout, sys.stderr

    import torch
    from diffusers import DiffusionPipeline

    device = given.device or ("cuda" if torch.cuda.is_available() else "cpu")
    small = {"dtype": torch.bfloat16} if device.startswith("cuda") else {}
    pipeline = DiffusionPipeline.from_pretrained(given.folder, local_files_only=True, **small).to(device)
    pipeline.set_progress_bar_config(disable=True)
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        answer: dict[str, object] = {}
        try:
            generate(pipeline, json.loads(line), given)
            if device.startswith("cuda"):
                answer = {"gpu_peak_bytes": torch.cuda.max_memory_allocated()}
                torch.cuda.reset_peak_memory_stats()
        except Exception as error:  # noqa: BLE001  # the next job may go well
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def generate(pipeline, job: dict[str, str], given: argparse.Namespace) -> None:
    """Do one job: the instruction is the prompt, and frames are as many as the job or the command says."""
    import torch

    frames = int(float(job.get("frames", given.frames)))
    frames = max(1, (frames - 1) // EVERY) * EVERY + 1
    picture = {}
    if "image" in inspect.signature(pipeline.__call__).parameters:
        picture = {"image": read_picture(job, given.width, given.height)}
    made = pipeline(
        prompt=job["instruction"],
        width=given.width,
        height=given.height,
        num_frames=frames,
        num_inference_steps=given.steps,
        generator=torch.Generator("cpu").manual_seed(int(job["seed"])),
        output_type="np",
        **picture,
    ).frames[0]
    write_video(job["output"], made, given.rate)


def read_picture(job: dict[str, str], width: int, height: int):
    """Return the picture that a video begins with; of a clip its first."""
    import av

    path = next((job[role] for role in PICTURES if role in job), None)
    if path is None:
        raise ValueError("this pipeline begins with a picture, and the context has none")
    with av.open(path) as container:
        return next(container.decode(video=0)).to_image().resize((width, height))


def write_video(path: str, frames, rate: int) -> None:
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
