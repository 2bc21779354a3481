#!/bin/bash
# Draws vitrine.svg in every size that menus ask for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for size in 16 24 32 48 64 128 256; do
    rsvg-convert -w $size -h $size vitrine.svg -o vitrine-$size.png
done
