#!/usr/bin/python3
"""Writes the golden values of interpolated position tables with PyTorch; --check compares a fresh run with the file.

The rules are those of torch.nn.functional.interpolate as each family calls it (core/vit/position_grid.h names them).
"""
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from make_golden import read, write

HERE = Path(__file__).resolve().parent
FILE = HERE / "values" / "positions.safetensors"
BEFORE = (5, 7)
AFTER = [(5, 7), (8, 8), (3, 4), (11, 2), (1, 1), (10, 14)]
WIDTH = 6


def interpolated(rule, table, after):
    """(h, w, D) -> (h', w', D)."""
    x = table.permute(2, 0, 1)[None]
    if rule == "bicubic":
        y = F.interpolate(x, size=after, mode="bicubic", align_corners=False)
    elif rule == "antialiased":
        y = F.interpolate(x, size=after, mode="bicubic", align_corners=False, antialias=True)
    elif rule == "corners":
        y = F.interpolate(x, size=after, mode="bicubic", align_corners=True)
    elif rule == "bilinear":
        y = F.interpolate(x, size=after, mode="bilinear", align_corners=False)
    elif rule == "linear":
        y = F.interpolate(x, size=after, mode="bilinear", align_corners=True)
    else:  # DINO's: the factor is given, from which PyTorch works out where to read
        factor = tuple((a + 0.1) / b for a, b in zip(after, BEFORE))
        y = F.interpolate(x, scale_factor=factor, mode="bicubic", align_corners=False, recompute_scale_factor=False)
        assert tuple(y.shape[-2:]) == after
    return y[0].permute(1, 2, 0)


def main():
    torch.manual_seed(518)
    table = torch.randn(*BEFORE, WIDTH)
    tensors = {"table": table.reshape(-1, WIDTH)}
    for rule in ("bicubic", "antialiased", "corners", "offset", "linear", "bilinear"):
        for after in AFTER:
            if after == BEFORE and rule == "offset":
                continue  # kept as it is: the published code returns early
            y = interpolated(rule, table, after)
            tensors[f"{rule}.{after[0]}x{after[1]}"] = y.reshape(-1, WIDTH)
    if "--check" in sys.argv:
        old = read(FILE)
        assert set(old) == set(tensors)
        worst = max(np.abs(old[k] - t.double().numpy().ravel()).max() for k, t in tensors.items())
        print(f"{len(tensors)} tensors, largest difference {worst:.1e}")
        sys.exit(int(worst > 1e-5))
    write(FILE, tensors)


if __name__ == "__main__":
    main()
