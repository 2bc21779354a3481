#!/bin/bash
# train_kill.sh VITRINE [KILLS] [PICTURES]
#
# A run that is killed at random moments and resumed gives the same bits as one that nothing disturbed: the model and the
# whole checkpoint, but for the seconds that it took. A machine that is at the end before the last kill has killed less often.
set -euo pipefail

vitrine=$1 kills=${2:-20} pictures=${3:-$((600 * ${2:-20}))}
folder=$(mktemp -d)
pid=
end() {
    [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT
recipe=(--pictures "$pictures" --size 16 --dim 16 --blocks 2 --heads 2 --batch 16 --threads 2 --seed 3)

"$vitrine" train --out "$folder/calm" "${recipe[@]}" --every 60 >/dev/null

# Sets `at` to how far the last whole checkpoint is; 0 before the first.
counted='steps[\\]*":([0-9]+)'
look() {
    local words=
    at=0
    LC_ALL=C read -r -N 8192 words 2>/dev/null <"$folder/killed/training.safetensors" || true
    [[ $words =~ $counted ]] && at=${BASH_REMATCH[1]}
    return 0
}

# Every life is killed once a checkpoint says that it has come far enough, at a random moment of what it does next: by
# the run's own count, so that a fast machine and a slow one are killed at the same places.
killed=0 stretch=$((pictures / 16 / (kills + 5)))
"$vitrine" train --out "$folder/killed" "${recipe[@]}" --every 0.01 >/dev/null &
pid=$!
RANDOM=7
for ((n = 1; n <= kills; ++n)); do
    wanted=$((n * stretch - RANDOM % stretch))
    while look && [ "$at" -lt "$wanted" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
    sleep "0.00$((RANDOM % 10))"
    kill -KILL "$pid" 2>/dev/null || break
    wait "$pid" 2>/dev/null || true
    killed=$n
    [ "$n" -lt "$kills" ] && every=0.01 || every=60  # the last life comes to its end
    "$vitrine" train --out "$folder/killed" --resume --every "$every" >/dev/null &
    pid=$!
done
wait "$pid"
pid=
[ "$killed" -ge $(((kills + 1) / 2)) ] || {
    echo "train_kill: the run was over after $killed of $kills kills; give it more PICTURES" >&2
    exit 1
}

cmp "$folder/calm/model.safetensors" "$folder/killed/model.safetensors"
# Behind the header, whose length its first eight bytes tell, lie parameters and moments.
numbers() { tail -c "$(($(stat -c %s "$1") - 8 - $(od -An -tu8 -N8 "$1")))" "$1"; }
cmp <(numbers "$folder/calm/training.safetensors") <(numbers "$folder/killed/training.safetensors")
echo "train_kill: killed $killed times, the same bits"
