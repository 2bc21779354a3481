#!/bin/bash
# Typesets every equation of this folder: <id>.tex, the formula alone, becomes <id>.svg, outlines without fonts.
# ./dev equations installs what this needs (LaTeX, preview.sty, dvisvgm) and runs it; the SVG files are committed.
set -euo pipefail

folder=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for source in "$folder"/*.tex; do
    id=$(basename "$source" .tex)
    [ "$id" != preamble ] || continue
    {
        echo '\input{preamble.tex}'
        echo '\begin{document}\begin{preview}$\displaystyle'
        cat "$source"
        echo '$\end{preview}\end{document}'
    } >page.tex
    TEXINPUTS="$folder:" latex -interaction=nonstopmode -halt-on-error page.tex >page.out || {
        grep -A 5 '^!' page.out >&2 || cat page.out >&2
        echo "$source: LaTeX cannot typeset it; its words stand above" >&2
        exit 1
    }
    # Two decimals of a point are a fiftieth of a pixel at the usual size.
    dvisvgm --verbosity=3 --no-fonts=1 --exact-bbox --bbox=preview --precision=2 --output=page.svg page.dvi
    # No comment, no declaration: what is left is what the program reads, and the same on every day.
    sed -e '/^<?xml/d' -e '/^<!--.*-->$/d' page.svg >"$folder/$id.svg"
done
