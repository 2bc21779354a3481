#!/usr/bin/python3
"""Writes tests/golden/pillow: small pictures and what Pillow, Hugging Face, torchvision and timm make of them.

    make_images.py            writes the folder anew
    make_images.py --check    makes it in a temporary folder and compares

Needs python3-pil and libheif-examples. float32 arithmetic is Python's double rounded after every operation, which is the same number.
Pictures are compared as pixels (encoders differ between versions), everything else byte for byte.
"""

import array
import filecmp
import io
import math
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from PIL import Image, ImageCms, ImageOps

FOLDER = Path(__file__).resolve().parent / "pillow"
HEIF = FOLDER.parent / "heif"
FILTERS = {"bilinear": Image.BILINEAR, "bicubic": Image.BICUBIC, "lanczos": Image.LANCZOS}
IMAGENET = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
INCEPTION = [0.5, 0.5, 0.5], [0.5, 0.5, 0.5]


# ---- pictures ------------------------------------------------------------------------------------------------------

def noise(count, seed):
    """Bytes of a linear congruential generator, the same everywhere."""
    state = seed
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 56


def textured(width, height, seed=1):
    """Smooth colours, hard edges (for overshoot at 0 and 255) and noise."""
    grain = iter(noise(width * height * 3, seed))
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            block = 255 * ((x // 5 + y // 3) % 2)
            for value in (255 * x // width, 255 * y // height, block):
                pixels.append(next(grain) if (x * y) % 7 == 0 else value)
    return Image.frombytes("RGB", (width, height), bytes(pixels))


def patches(width, height):
    """Four flat quadrants and a corner mark: survives JPEG and tells all eight orientations apart."""
    image = Image.new("RGB", (width, height), (200, 40, 40))
    image.paste((40, 180, 60), (width // 2, 0, width, height // 2))
    image.paste((50, 60, 200), (0, height // 2, width // 2, height))
    image.paste((230, 220, 90), (width // 2, height // 2, width, height))
    image.paste((255, 255, 255), (0, 0, 8, 8))
    return image


def png(size, bits, colour, rows, chunks=()):
    """A PNG of any bit depth; `rows` are packed already."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    header = struct.pack(">IIBBBBB", *size, bits, colour, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    extra = b"".join(chunk(name, data) for name, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def exif(orientation):
    data = Image.Exif()
    data[0x0112] = orientation
    return data.tobytes()


def write_ppm(path, image):
    image.convert("RGB").save(path, format="PPM")


# ---- decoding ------------------------------------------------------------------------------------------------------

def saved(image, **options):
    buffer = io.BytesIO()
    image.save(buffer, **options)
    return buffer.getvalue()


def decodings():
    """(file name, bytes, expected RGB, largest mean difference per channel)"""
    colour = textured(23, 17, 3)
    grey = colour.convert("L")
    alpha = Image.frombytes("L", colour.size, bytes(noise(23 * 17, 5)))
    yield "rgb.png", saved(colour, format="PNG"), colour, 0
    yield "grey.png", saved(grey, format="PNG"), grey, 0
    rgba = colour.copy()
    rgba.putalpha(alpha)
    yield "rgba.png", saved(rgba, format="PNG"), rgba, 0
    yield "grey_alpha.png", saved(Image.merge("LA", (grey, alpha)), format="PNG"), grey, 0
    indexed = colour.quantize(16)
    yield "palette.png", saved(indexed, format="PNG"), indexed, 0
    yield "palette_transparent.png", saved(indexed, format="PNG", transparency=bytes(range(0, 256, 16))), indexed, 0
    yield "one_bit.png", saved(grey.convert("1"), format="PNG"), grey.convert("1"), 0
    yield "rgb.bmp", saved(colour, format="BMP"), colour, 0
    yield "palette.bmp", saved(indexed, format="BMP"), indexed, 0
    yield "rgb.tga", saved(colour, format="TGA"), colour, 0
    yield "rle.tga", saved(patches(24, 16), format="TGA", compression="tga_rle"), patches(24, 16), 0
    yield "rgb.ppm", saved(colour, format="PPM"), colour, 0
    yield "grey.pgm", saved(grey, format="PPM"), grey, 0
    other = ImageOps.invert(colour).quantize(16)
    clear = Image.new("P", (23, 17), 3)
    clear.putpalette(indexed.getpalette())
    clear.paste(indexed.crop((4, 4, 20, 12)), (4, 4))
    see_through = saved(clear, format="GIF", transparency=3)
    yield "clear.gif", see_through, as_rgb(see_through), 0
    yield "two_frames.gif", saved(indexed, format="GIF", save_all=True, append_images=[other]), indexed, 0

    deep = [list(noise(2 * 3 * 9, 7 + y)) for y in range(5)]  # big-endian pairs; the upper byte is what remains
    upper = bytes(v for row in deep for v in row[::2])
    yield "rgb16.png", png((9, 5), 16, 2, map(bytes, deep)), Image.frombytes("RGB", (9, 5), upper), 0
    cut_off = png((27, 5), 16, 0, (bytes(v if i % 2 else v // 128 for i, v in enumerate(row)) for row in deep))
    yield "grey16.png", cut_off, Image.open(io.BytesIO(cut_off)).convert("RGB"), 0  # what is above 255 is white
    yield "psd.psd", psd(colour), colour, 0
    turned = png((9, 5), 16, 2, map(bytes, deep), [(b"eXIf", exif(6)[6:])])
    yield "exif_6.png", turned, Image.frombytes("RGB", (9, 5), upper).transpose(Image.ROTATE_270), 0

    yield from jpegs(colour, grey)
    yield from webps(colour, rgba)
    yield from tiffs(colour, grey, rgba, indexed)
    yield from heifs()


def as_rgb(data):
    """What the reference pipelines make of a file: upright, then convert("RGB")."""
    return ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB")


def jpegs(colour, grey):
    jpeg = {"format": "JPEG", "quality": 95}
    photo = textured(53, 37, 11)
    inks = Image.merge("CMYK", [*photo.split(), photo.convert("L").point(lambda v: v // 2)])
    for name, picture, options in (("baseline.jpg", patches(40, 24), {}), ("progressive.jpg", photo, {"progressive": True}),
                                   ("grey.jpg", photo.convert("L"), {}), ("halved.jpg", photo, {"subsampling": "4:2:2"}),
                                   ("quartered.jpg", photo, {"subsampling": "4:2:0", "quality": 60}),
                                   ("whole_colour.jpg", photo, {"subsampling": "4:4:4", "quality": 60}),
                                   ("cmyk.jpg", inks, {}), ("cmyk_progressive.jpg", inks, {"progressive": True})):
        data = saved(picture, **{**jpeg, **options})
        yield name, data, as_rgb(data), 0
    # Adobe's marker with transform 2: the same numbers are taken for YCCK.
    data = saved(inks, **jpeg)
    ycck = data.replace(b"Adobe\0d\0\0\0\0\0", b"Adobe\0d\0\0\0\0\2")
    assert ycck != data
    yield "ycck.jpg", ycck, as_rgb(ycck), 0
    for orientation in range(1, 9):
        data = saved(patches(40, 24), exif=exif(orientation), subsampling=0, **jpeg)
        yield f"exif_{orientation}.jpg", data, as_rgb(data), 0


def webps(colour, rgba):
    photo = textured(53, 37, 11)
    turned = exif(6)
    other = ImageOps.invert(photo)
    for name, picture, options in (("lossy.webp", photo, {"quality": 70}), ("lossless.webp", colour, {"lossless": True}),
                                   ("alpha.webp", rgba, {"lossless": True, "exact": True}), ("lossy_alpha.webp", rgba, {"quality": 80}),
                                   ("exif_6.webp", patches(40, 24), {"lossless": True, "exif": turned}),
                                   ("moving.webp", photo, {"save_all": True, "append_images": [other], "quality": 70})):
        data = saved(picture, format="WEBP", **options)
        yield name, data, as_rgb(data), 0


def tiffs(colour, grey, rgba, indexed):
    inks = Image.merge("CMYK", [*colour.split(), grey])
    deep = Image.frombytes("I;16", (9, 5), bytes(v if i % 2 == 0 else v // 128 for i, v in enumerate(noise(2 * 9 * 5, 21))))
    large = textured(70, 41, 12)
    for name, picture, options in (("rgb.tif", colour, {}), ("lzw.tif", colour, {"compression": "tiff_lzw"}),
                                   ("deflate.tif", grey, {"compression": "tiff_adobe_deflate"}), ("palette.tif", indexed, {}),
                                   ("alpha.tif", rgba, {}), ("grey_alpha.tif", Image.merge("LA", (grey, grey)), {}),
                                   ("cmyk.tif", inks, {}), ("bit.tif", grey.convert("1"), {"compression": "group4"}),
                                   ("bit_plain.tif", grey.convert("1"), {}), ("grey16.tif", deep, {}),
                                   ("jpeg.tif", large, {"compression": "jpeg"}), ("turned.tif", patches(40, 24), {"tiffinfo": {274: 6}})):
        data = saved(picture, format="TIFF", **options)
        yield name, data, Image.open(io.BytesIO(data)).convert("RGB"), 0
    white = saved(grey, format="TIFF", tiffinfo={262: 0})
    yield "white_is_0.tif", white, Image.open(io.BytesIO(white)).convert("RGB"), 0
    multiplied = tiff(9, 5, [(258, 3, [8] * 4), (262, 3, [2]), (277, 3, [4]), (338, 3, [1])], bytes(noise(9 * 5 * 4, 22)))
    yield "associated.tif", multiplied, Image.open(io.BytesIO(multiplied)).convert("RGB"), 0
    deep = bytes(noise(9 * 5 * 6, 23))
    yield "rgb16.tif", tiff(9, 5, [(258, 3, [16] * 3), (262, 3, [2]), (277, 3, [3])], deep), Image.frombytes("RGB", (9, 5), deep[1::2]), 0
    planes = b"".join(band.tobytes() for band in colour.crop((0, 0, 9, 5)).split())
    yield "planes.tif", tiff(9, 5, [(258, 3, [8] * 3), (262, 3, [2]), (277, 3, [3]), (284, 3, [2])], planes), colour.crop((0, 0, 9, 5)), 0
    yield "tiled.tif", tiled(large), large, 0


def tiff(width, height, tags, data, strips=None):
    """An uncompressed little-endian TIFF; of `strips` (tags of offsets and sizes, sizes) where they are not one for each plane."""
    planes = 3 if (284, 3, [2]) in tags else 1
    offset_tag, size_tag, sizes = strips or (273, 279, [len(data) // planes] * planes)
    offsets = [8 + sum(sizes[:i]) for i in range(len(sizes))]
    rows = [] if strips else [(278, 4, [height])]
    entries = sorted([(256, 4, [width]), (257, 4, [height]), (259, 3, [1]), (offset_tag, 4, offsets), (size_tag, 4, sizes), *rows, *tags])
    after = 8 + len(data) + 2 + 12 * len(entries) + 4
    directory, values = struct.pack("<H", len(entries)), b""
    for tag, kind, numbers in entries:
        packed = struct.pack(f"<{len(numbers)}{'H' if kind == 3 else 'I'}", *numbers)
        if len(packed) > 4:
            packed, values = struct.pack("<I", after + len(values)), values + packed
        directory += struct.pack("<HHI", tag, kind, len(numbers)) + packed.ljust(4, b"\0")
    return b"II*\0" + struct.pack("<I", 8 + len(data)) + data + directory + bytes(4) + values


def tiled(image):
    """Tiles of 32 × 16, the last of each row and column reaching beyond the picture."""
    tiles = [image.crop((x, y, x + 32, y + 16)).tobytes() for y in range(0, image.height, 16) for x in range(0, image.width, 32)]
    tags = [(258, 3, [8] * 3), (262, 3, [2]), (277, 3, [3]), (322, 3, [32]), (323, 3, [16])]
    return tiff(image.width, image.height, tags, b"".join(tiles), (324, 325, [len(t) for t in tiles]))


def heifs():
    """Committed files, which heif-enc made of patches(64, 48) turned by its own mark; what libheif's heif-convert makes of them."""
    for name in "patches.heic", "turned.heic", "patches.avif":
        with tempfile.TemporaryDirectory() as folder:
            png = Path(folder) / "out.png"
            subprocess.run(["heif-convert", HEIF / name, png], check=True, stdout=subprocess.DEVNULL)
            yield name, (HEIF / name).read_bytes(), Image.open(png).convert("RGB"), 1  # versions round their colours differently


def psd(image):
    """An uncompressed Photoshop file of one RGB layer."""
    header = b"8BPS" + struct.pack(">H6xHIIHH", 1, 3, image.height, image.width, 8, 3)
    return header + struct.pack(">IIIH", 0, 0, 0, 0) + b"".join(band.tobytes() for band in image.split())


def write_decodings(folder):
    (folder / "decode").mkdir()
    rows = []
    for name, data, expected, tolerance in decodings():
        (folder / "decode" / name).write_bytes(data)
        write_ppm(folder / "decode" / (name + ".expected"), expected)
        rows.append(f"{name} {tolerance}\n")
    (folder / "decode.txt").write_text("".join(rows))


# ---- colour ------------------------------------------------------------------------------------------------------

def icc(space, tags):
    """An ICC profile, version 2.1, of a device; `tags` are (name, content)."""
    table, body = struct.pack(">I", len(tags)), b""
    for name, content in tags:
        table += struct.pack(">4sII", name, 128 + 4 + 12 * len(tags) + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    white = struct.pack(">iii", 63190, 65536, 54061)
    kind, other = (b"prtr", b"Lab ") if space == b"CMYK" else (b"mntr", b"XYZ ")
    head = struct.pack(">I4sI4s4s4s", 128 + len(table) + len(body), bytes(4), 0x02100000, kind, space, other)
    head += struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp") + bytes(28) + white
    return head.ljust(128, b"\0") + table + body


def profiles():
    """By name: wider primaries with another gamma, their channels swapped, a grey of gamma 1, and inks whose colours are a table."""
    def xyz(*values):
        return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(v * 65536) for v in values))
    def gamma(value):
        return b"curv" + bytes(4) + struct.pack(">IH", 1, round(value * 256))
    words = [(b"desc", b"desc" + bytes(4) + struct.pack(">I", 5) + b"Test\0" + bytes(4 + 4 + 2 + 1 + 67)), (b"cprt", b"text" + bytes(4) + b"CC0\0"),
             (b"wtpt", xyz(0.9642, 1.0, 0.8249))]
    red, green, blue = xyz(0.5151, 0.2412, -0.0011), xyz(0.2920, 0.6922, 0.0419), xyz(0.1571, 0.0666, 0.7841)
    curves = [(name, gamma(1.8)) for name in (b"rTRC", b"gTRC", b"bTRC")]
    wide = icc(b"RGB ", words + [(b"rXYZ", red), (b"gXYZ", green), (b"bXYZ", blue)] + curves)
    swapped = icc(b"RGB ", words + [(b"rXYZ", green), (b"gXYZ", red), (b"bXYZ", blue)] + curves)
    grey = icc(b"GRAY", words + [(b"kTRC", gamma(1.0))])
    table = bytearray()
    for corner in range(16):  # cyan is the slowest
        c, m, y, k = (corner >> i & 1 for i in (3, 2, 1, 0))
        table += bytes(((255 - 60 * (c + m) - 20 * y) * (1 - k) + 20 * k, 128 + (50 * (m - c)) * (1 - k), 128 + (60 * (y - c)) * (1 - k)))
    straight = bytes(range(256))
    lut = b"mft1" + bytes(4) + struct.pack(">4B", 4, 3, 2, 0) + struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
    inks = icc(b"CMYK", words + [(b"A2B0", lut + 4 * straight + bytes(table) + 3 * straight)])
    return {"wide": wide, "swapped": swapped, "grey": grey, "inks": inks}


def managed(image, profile):
    """What Little CMS makes of it, by Pillow: perceptual, in sRGB."""
    return ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"), outputMode="RGB")


def write_colours(folder):
    (folder / "colour").mkdir()
    known = profiles()
    photo = textured(53, 37, 11)
    inks = Image.merge("CMYK", [*photo.split(), photo.convert("L").point(lambda v: v // 2)])
    jpeg, webp, png, tif = {"format": "JPEG", "quality": 95}, {"format": "WEBP", "lossless": True}, {"format": "PNG"}, {"format": "TIFF"}
    rows = []
    for name, picture, profile, options in (("wide.jpg", photo, "wide", jpeg), ("wide.webp", photo, "wide", webp), ("wide.png", photo, "wide", png),
                                            ("wide.tif", photo, "wide", tif), ("swapped.jpg", photo, "swapped", {**jpeg, "exif": exif(6)}),
                                            ("grey.png", photo.convert("L"), "grey", png), ("inks.jpg", inks, "inks", jpeg),
                                            ("inks.tif", inks, "inks", tif)):
        data = saved(picture, icc_profile=known[profile], **options)
        image = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
        (folder / "colour" / name).write_bytes(data)
        write_ppm(folder / "colour" / (name + ".stored"), image)
        write_ppm(folder / "colour" / (name + ".managed"), managed(image, known[profile]))
        rows.append(name + "\n")
    (folder / "colour.txt").write_text("".join(rows))


# ---- resizing ------------------------------------------------------------------------------------------------------

def write_resizings(folder):
    (folder / "resize").mkdir()
    sources = {"landscape": textured(61, 43), "wide": textured(397, 2, 2), "tall": textured(1, 233, 4),
               "pixel": textured(1, 1, 6)}
    sizes = {"landscape": [(16, 16), (61, 20), (30, 43), (60, 42), (100, 70), (17, 90), (1, 1)],
             "wide": [(13, 7), (400, 1)], "tall": [(5, 31), (1, 240)], "pixel": [(7, 3)]}
    rows = []
    for source, image in sources.items():
        write_ppm(folder / "resize" / f"{source}.ppm", image)
        for width, height in sizes[source]:
            for name, kind in FILTERS.items():
                result = f"{source}_{width}x{height}_{name}.ppm"
                write_ppm(folder / "resize" / result, image.resize((width, height), kind))
                rows.append(f"{source}.ppm {width} {height} {name} {result}\n")
    (folder / "resize.txt").write_text("".join(rows))


# ---- preprocessing -------------------------------------------------------------------------------------------------

def shortest_edge(image, edge, kind):
    """Hugging Face's and torchvision's size: the longer edge is cut to an integer."""
    short, long = sorted(image.size)
    longer = int(edge * long / short)
    return image.resize((edge, longer) if image.width <= image.height else (longer, edge), kind)


def keep_ratio(image, height, width, longest, kind):
    """timm's ResizeKeepRatio."""
    ratios = image.height / height, image.width / width
    ratio = max(ratios) * longest + min(ratios) * (1.0 - longest)
    return image.resize((round(image.width / ratio), round(image.height / ratio)), kind)


def crop_hugging_face(image, height, width):
    """Floor division on both sides; Pillow's crop pads with black."""
    left, top = (image.width - width) // 2, (image.height - height) // 2
    return image.crop((left, top, left + width, top + height)), left, top


def crop_torchvision(image, height, width, fill=(0, 0, 0)):
    """torchvision's CenterCrop and timm's CenterCropOrPad: pads first, then crops at Python's round()."""
    pad_x, pad_y = max(0, width - image.width), max(0, height - image.height)
    fill = fill if image.mode == "RGB" else fill[0]
    padded = Image.new(image.mode, (image.width + pad_x, image.height + pad_y), fill)
    padded.paste(image, (pad_x // 2, pad_y // 2))
    left, top = round((padded.width - width) / 2.0), round((padded.height - height) / 2.0)
    return padded.crop((left, top, left + width, top + height)), left - pad_x // 2, top - pad_y // 2


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def normalised(image, mean, std):
    """(C, H, W), x · (1 / 255) in float64, then (x − mean) / std, each rounded to float32."""
    planes = array.array("f")
    for c, band in enumerate(image.split()):
        m, s = float32(mean[c]), float32(std[c])
        for x in band.getdata():
            planes.append(float32(float32(float32(x * (1 / 255)) - m) / s))
    if sys.byteorder == "big":
        planes.byteswap()
    return planes.tobytes()


def preprocessings():
    """(name, picture, the columns of preprocess.txt but the last four, resized, crop)"""
    landscape, portrait, small = textured(61, 43), textured(37, 50, 8), textured(9, 14, 9)
    bilinear, bicubic, lanczos = Image.BILINEAR, Image.BICUBIC, Image.LANCZOS

    def case(name, image, columns, size, numbers, resized, crop=crop_hugging_face):
        channels, height, width = size
        mean, std = numbers
        columns = f"{columns} {channels} {height} {width} " + " ".join(map(str, mean + std))
        seen, left, top = crop(resized, height, width)
        across, down = image.width / resized.width, image.height / resized.height
        box = left * across, top * down, (left + width) * across, (top + height) * down
        return name, image, columns + " " + " ".join(map(repr, box)), seen, normalised(seen, mean, std)

    for picture, image in ("landscape", landscape), ("portrait", portrait), ("small", small):
        yield case(f"hf_vit_{picture}", image, "squash 24 24 bilinear 0 down", (3, 24, 24), INCEPTION,
                   image.resize((24, 24), bilinear))
        yield case(f"hf_deit_{picture}", image, "squash 28 28 bicubic 1 down", (3, 23, 24), IMAGENET,
                   image.resize((28, 28), bicubic))
        yield case(f"hf_dinov2_{picture}", image, "shortest_edge 29 29 bicubic 1 down", (3, 24, 24), IMAGENET,
                   shortest_edge(image, 29, bicubic))
        yield case(f"hf_pads_{picture}", image, "shortest_edge 17 17 bilinear 1 down", (3, 24, 22), IMAGENET,
                   shortest_edge(image, 17, bilinear))
        yield case(f"torchvision_{picture}", image, "shortest_edge 27 27 bilinear 1 half_to_even", (3, 24, 24),
                   IMAGENET, shortest_edge(image, 27, bilinear), crop_torchvision)
        yield case(f"torchvision_pads_{picture}", image, "shortest_edge 17 17 bilinear 1 half_to_even", (3, 24, 22),
                   IMAGENET, shortest_edge(image, 17, bilinear), crop_torchvision)
        yield case(f"timm_center_{picture}", image, "shortest_edge 26 26 bicubic 1 half_to_even", (3, 24, 24),
                   INCEPTION, shortest_edge(image, math.floor(24 / 0.9), bicubic), crop_torchvision)
        yield case(f"timm_center_oblong_{picture}", image, "shortest_edge 26 30 bicubic 1 half_to_even", (3, 24, 27),
                   INCEPTION, keep_ratio(image, 26, 30, 0.0, bicubic), crop_torchvision)
        yield case(f"timm_squash_{picture}", image, "squash 26 26 lanczos 1 half_to_even", (3, 24, 23),
                   INCEPTION, image.resize((26, 26), lanczos), crop_torchvision)
        mean = IMAGENET[0]
        yield case(f"timm_border_{picture}", image, "longest_edge 25 25 bicubic 1 half_to_even", (3, 24, 24),
                   IMAGENET, keep_ratio(image, 25, 25, 1.0, bicubic),
                   lambda i, h, w: crop_torchvision(i, h, w, tuple(round(255 * v) for v in mean)))
        yield case(f"grey_{picture}", image, "squash 24 24 bilinear 0 down", (1, 24, 24), ([0.5], [0.25]),
                   image.convert("L").resize((24, 24), bilinear))
        yield case(f"unresized_{picture}", image, "none 0 0 bilinear 1 down", (3, 20, 20), INCEPTION, image)


def write_preprocessings(folder):
    (folder / "preprocess").mkdir()
    rows = []
    for name, image, columns, seen, numbers in preprocessings():
        picture = name.rsplit("_", 1)[1] + ".ppm"
        write_ppm(folder / "preprocess" / picture, image)
        write_ppm(folder / "preprocess" / (name + ".seen"), seen)
        (folder / "preprocess" / (name + ".f32")).write_bytes(numbers)
        rows.append(f"{name} {picture} {columns}\n")
    (folder / "preprocess.txt").write_text("".join(rows))


# ---- the folder ----------------------------------------------------------------------------------------------------

def write(folder):
    write_decodings(folder)
    write_colours(folder)
    write_resizings(folder)
    write_preprocessings(folder)


def same(path, other):
    """Encoded pictures as pixels, other files as bytes."""
    if not other.exists():
        return False
    if path.parent.name in ("decode", "colour") and path.suffix not in (".expected", ".stored", ".managed", ".heic", ".avif"):
        with Image.open(path) as a, Image.open(other) as b:
            return a.mode == b.mode and a.size == b.size and a.convert("RGBA").tobytes() == b.convert("RGBA").tobytes()
    return filecmp.cmp(path, other, shallow=False)


def check():
    with tempfile.TemporaryDirectory() as name:
        remade = Path(name)
        write(remade)
        files = {p.relative_to(root) for root in (remade, FOLDER) for p in root.rglob("*") if p.is_file()}
        different = sorted(f for f in files if not (remade / f).exists() or not same(remade / f, FOLDER / f))
    for file in different:
        print(f"{FOLDER / file} differs from what make_images.py makes of it", file=sys.stderr)
    print(f"{len(files) - len(different)} of {len(files)} files agree")
    return 1 if different else 0


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    FOLDER.mkdir(exist_ok=True)
    for path in sorted(FOLDER.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    write(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
