#!/usr/bin/python3
"""Writes tests/golden/videos: small videos, and the frames and times that Debian's ffmpeg reads of them.

    make_videos.py            writes the folder anew
    make_videos.py --check    reads the committed videos again and compares (encoders differ between versions)

NAME.png has a video's frames one below another; videos.json their times, each with the seconds that it lasts where the file says so.
Needs ffmpeg and python3-pil; writing needs ffmpeg 5 or 6, whose option rotate later ones lack.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops

FOLDER = Path(__file__).resolve().parent / "videos"
WIDTH, HEIGHT, COUNT = 48, 32, 6
X264 = ["-c:v", "libx264", "-preset", "veryslow", "-crf", "12"]
TO_709 = ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_range", "tv"]
TO_FULL = ["-vf", "scale=out_color_matrix=bt601:out_range=pc", "-colorspace", "smpte170m", "-color_range", "pc"]
UNEVEN = ["-vf", "setpts='(N*N+N)/20/TB'", "-vsync", "vfr", "-enc_time_base", "1:1000", "-video_track_timescale", "1000"]


def frames(width=WIDTH, height=HEIGHT):
    """Strong colours, a ramp and a white bar that moves: each frame is its own, and none of its quarters is another's."""
    for number in range(COUNT):
        image = Image.new("RGB", (width, height), (200, 40, 40))
        image.paste((40, 180, 60), (width // 2, 0, width, height // 2))
        image.paste((50, 60, 200), (0, height // 2, width // 2, height))
        for x in range(width // 2, width):
            level = 255 * (x - width // 2) // (width - width // 2)
            image.paste((level, level, 255 - level), (x, height // 2, x + 1, height))
        image.paste((255, 255, 255), (4 * number, 4, 4 * number + 4, 12))
        yield image


def ffmpeg(*words, data=None):
    return subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, words)] if data is None else ["ffmpeg", "-v", "error", "-y", *map(str, words)],
                          input=data, check=True, stdout=subprocess.PIPE).stdout


def encode(path, *options, size=(WIDTH, HEIGHT)):
    data = b"".join(image.tobytes() for image in frames(*size))
    ffmpeg("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", 10, "-i", "-", "-fflags", "+bitexact", "-flags:v", "+bitexact",
           "-map_metadata", -1, *options, path, data=data)


def make(folder):
    """By name: what ffmpeg writes of the frames."""
    encode(folder / "unnamed.mp4", *X264, "-pix_fmt", "yuv420p", "-bf", 2)
    encode(folder / "bt709.mp4", *X264, *TO_709, "-pix_fmt", "yuv420p")
    encode(folder / "full.mov", *X264, *TO_FULL, "-pix_fmt", "yuvj420p")
    encode(folder / "odd.webm", "-c:v", "libvpx-vp9", "-crf", 10, "-b:v", 0, *TO_709, "-pix_fmt", "yuv420p", size=(47, 31))
    encode(folder / "uneven.mkv", *X264, "-bf", 0, *UNEVEN, "-pix_fmt", "yuv420p")
    encode(folder / "part2.avi", "-c:v", "mpeg4", "-q:v", 2)
    encode(folder / "raw.avi", "-c:v", "rawvideo", "-pix_fmt", "bgr24", "-frames:v", 1, size=(16, 8))
    for turn in 90, 180, 270:
        ffmpeg("-i", folder / "unnamed.mp4", "-c", "copy", "-fflags", "+bitexact", "-metadata:s:v", f"rotate={turn}", folder / f"turned_{turn}.mp4")
    ffmpeg("-f", "lavfi", "-i", "sine=duration=0.1", "-c:a", "aac", "-b:a", "8k", "-fflags", "+bitexact", folder / "sound.mp4")


def read(path):
    """The frames as ffmpeg shows them, one below another, and their times."""
    with tempfile.TemporaryDirectory() as folder:
        ffmpeg("-i", path, "-vsync", "passthrough", "-pix_fmt", "rgb24", Path(folder) / "%03d.png")
        images = [Image.open(file).convert("RGB") for file in sorted(Path(folder).iterdir())]
    strip = Image.new("RGB", (images[0].width, sum(image.height for image in images)))
    for i, image in enumerate(images):
        strip.paste(image, (0, i * image.height))
    told = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time,pkt_duration_time,duration_time",
                           "-of", "json", path], check=True, stdout=subprocess.PIPE)
    rows = json.loads(told.stdout)["frames"]
    times = [round(float(row["best_effort_timestamp_time"]), 4) for row in rows]
    lasts = rows[-1].get("duration_time", rows[-1].get("pkt_duration_time"))
    return strip, {"frames": len(images), "times": times, "last": round(float(lasts), 4) if lasts is not None else None}


def main():
    check = "--check" in sys.argv
    if not check:
        FOLDER.mkdir(exist_ok=True)
        make(FOLDER)
    told, wrong = {}, []
    for path in sorted(file for file in FOLDER.iterdir() if file.suffix not in (".png", ".json") and file.stem != "sound"):
        strip, told[path.name] = read(path)
        expected = FOLDER / (path.name + ".png")
        if not check:
            strip.save(expected, optimize=True)
        elif max(high for _, high in ImageChops.difference(strip, Image.open(expected)).getextrema()) > 2:
            wrong.append(expected.name)
    words = json.dumps(told, indent=1) + "\n"
    if not check:
        (FOLDER / "videos.json").write_text(words)
    elif (FOLDER / "videos.json").read_text() != words:
        wrong.append("videos.json")
    if wrong:
        sys.exit(f"{', '.join(wrong)}: differ from what ffmpeg reads now; look why, then run make_videos.py")


if __name__ == "__main__":
    main()
