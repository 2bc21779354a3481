#!/bin/bash
# compare_pictures.sh OLD NEW [FOLDER]: the pictures of two builds of vitrine, pixel by pixel: every step and instrument in
# every language and theme. Prints those that differ, then a count; they stay in FOLDER. Exit status 1 where any differ.
set -euo pipefail

old=$(readlink -f "$1") new=$(readlink -f "$2") folder=${3:-$(mktemp -d)}
size=${SIZE:-1280x720} image=${IMAGE:-cat}
mkdir -p "$folder/old" "$folder/new"

steps=$("$new" info --json | python3 -c 'import json, sys; print(*[s["id"] for s in json.load(sys.stdin)["steps"]])')
instruments=${INSTRUMENTS:-heads compare statistics depth tokens lens ledger}
languages=${LANGUAGES:-en ja ko}

same=0 different=0
compare() { # NAME ARGUMENTS...
    local name=$1 theme language which
    shift
    for theme in dark light; do
        for language in $languages; do
            for which in old new; do
                "${!which}" snapshot "$image" "$@" --theme "$theme" --lang "$language" --size "$size" \
                    --out "$folder/$which/$name-$theme-$language.png"
            done
            if cmp -s "$folder"/{old,new}/"$name-$theme-$language.png"; then
                rm "$folder"/{old,new}/"$name-$theme-$language.png"
                same=$((same + 1))
            else
                echo "$name $theme $language"
                different=$((different + 1))
            fi
        done
    done
}

for step in $steps; do compare "$step" --step "$step"; done
for instrument in $instruments; do
    compare "lab-$instrument" --lab "$instrument" --set lab.picks=1.0+2.1
done
echo "$same pictures are the same, $different differ; those lie in $folder"
[ "$different" = 0 ]
