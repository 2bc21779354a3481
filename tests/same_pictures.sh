#!/bin/bash
# same_pictures.sh: draws the same pictures with every compiler and level of optimisation that is here, and compares the
# bytes with the committed hash. ./dev pictures installs clang first.
set -euo pipefail

root=$(dirname "$(readlink -f "$0")")/..
expected=$(<"$root/tests/golden/values/pictures.txt")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

sources=("$root"/core/training/pictures/*.cpp)
status=0
for compiler in g++ clang++; do
    if ! command -v "$compiler" >/dev/null; then
        echo "$compiler is not here: left out"
        continue
    fi
    for options in "-O0" "-O2" "-O3" "-O3 -march=native" "-O3 -march=native -fno-math-errno -fno-trapping-math"; do
        # shellcheck disable=SC2086  # the options are meant to split
        "$compiler" -std=c++20 $options -ffp-contract=off -I "$root" "$root/tests/same_pictures.cpp" "${sources[@]}" -o "$folder/draw"
        got=$("$folder/draw")
        [ "$got" = "$expected" ] && verdict=same || { verdict=DIFFERENT; status=1; }
        printf '%-8s %-55s %s %s\n' "$compiler" "$options" "${got//$'\n'/ }" "$verdict"
    done
done
exit $status
