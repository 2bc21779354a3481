#!/usr/bin/python3
"""Writes the golden values of interpolated position tables with PyTorch; --check compares a fresh run with the file.

The rules are those of torch.nn.functional.interpolate as each family calls it (core/transformer/position_grid.h names them).
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
OFFSETS = [(5, 7), (9, 7), (13, 11), (3, 5), (1, 1)]  # of tables of relative positions: odd numbers
WIDTH = 6


def places(before, after):
    """Where timm's resize_rel_pos_bias_table puts the old offsets: geometric steps that reach the new grid's edge."""
    half, low, high = before // 2, 1.01, 1.5
    while high - low > 1e-6:
        q = (low + high) / 2
        if (1 - q ** half) / (1 - q) > after // 2:
            high = q
        else:
            low = q
    side = np.cumsum(q ** np.arange(half))
    return np.concatenate([-side[::-1], [0], side])


def geometric(table, after):
    """Linear along the rows and along the columns; numpy keeps the last number beyond the ends."""
    x = table.double().numpy()
    for axis in (0, 1):
        old, new = places(BEFORE[axis], after[axis]), np.arange(after[axis]) - after[axis] // 2
        x = np.apply_along_axis(lambda line: np.interp(new, old, line), axis, x)
    return torch.from_numpy(x).float()


def interpolated(rule, table, after):
    """(h, w, D) -> (h', w', D)."""
    if rule == "geometric":
        return table if after == BEFORE else geometric(table, after)
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
    for rule in ("bicubic", "antialiased", "corners", "offset", "linear", "bilinear", "geometric"):
        for after in OFFSETS if rule == "geometric" else AFTER:
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
