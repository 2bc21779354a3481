#!/bin/bash
# train_kill.sh VITRINE [KILLS]
#
# A run that is killed at random moments and resumed gives the same bits as one that nothing disturbed: the model and the
# whole checkpoint, but for the seconds that it took.
set -euo pipefail

vitrine=$1 kills=${2:-20}
folder=$(mktemp -d)
pid=
end() {
    [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT
recipe=(--pictures 60000 --size 32 --dim 32 --blocks 2 --heads 2 --batch 16 --threads 2 --seed 3)

"$vitrine" train --out "$folder/calm" "${recipe[@]}" --every 60 >/dev/null

# The first life has to come as far as a checkpoint; from then on it is killed wherever it is.
"$vitrine" train --out "$folder/killed" "${recipe[@]}" --every 0.05 >/dev/null &
pid=$!
for ((i = 0; i < 200; ++i)); do [ -e "$folder/killed/training.safetensors" ] && break; sleep 0.02; done
RANDOM=7
for ((n = 1; n <= kills; ++n)); do
    sleep "0.$((RANDOM % 30 + 10))"
    if ! kill -KILL "$pid" 2>/dev/null; then
        echo "train_kill: the run was over before it was killed $kills times" >&2
        exit 1
    fi
    wait "$pid" 2>/dev/null || true
    "$vitrine" train --out "$folder/killed" --resume --every 0.05 >/dev/null &
    pid=$!
done
wait "$pid"
pid=

cmp "$folder/calm/model.safetensors" "$folder/killed/model.safetensors"
# Behind the header, whose length its first eight bytes tell, lie parameters and moments.
numbers() { tail -c "$(($(stat -c %s "$1") - 8 - $(od -An -tu8 -N8 "$1")))" "$1"; }
cmp <(numbers "$folder/calm/training.safetensors") <(numbers "$folder/killed/training.safetensors")
echo "train_kill: killed $kills times, the same bits"
