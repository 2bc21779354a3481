#!/bin/bash
# window_smoke.sh VITRINE TOOLS
#
# Starts the real window on a virtual screen, drives it by real X events (keys, clicks, a dropped file) and looks at a
# screenshot. VITRINE is the program, TOOLS the folder of xdnd and screenshot. The window tells where its parts are
# through VITRINE_PROBE: a file with lines `id visible x0 y0 x1 y1 value text`, written anew with every frame.
# Exit status 77: there is no Xvfb on this machine.
set -euo pipefail

if [ "${3:-}" != inside ]; then
    command -v xvfb-run >/dev/null || exit 77
    exec xvfb-run --auto-servernum --server-args='-screen 0 1280x720x24 -noreset' "$0" "$1" "$2" inside
fi

vitrine=$1 tools=$2
sample=$(dirname "$(readlink -f "$0")")/images/mug.png
folder=$(mktemp -d)
probe=$folder/probe
pid=
end() {
    [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT

fail() {
    echo "window_smoke: $*" >&2
    echo "--- the window's last words" >&2
    cat "$folder/log" >&2
    echo "--- the probe" >&2
    cat "$probe" >&2 || true
    exit 1
}

# field ID NAME : one of visible, x0, y0, x1, y1, value, text of what the window drew last; empty where it did not.
field() {
    # shellcheck disable=SC2034  # used by name, ${!2}
    local id visible x0 y0 x1 y1 value text
    # shellcheck disable=SC2034
    while read -r id visible x0 y0 x1 y1 value text; do
        if [ "$id" = "$1" ]; then
            echo "${!2}"
            return
        fi
    done 2>/dev/null <"$probe" || true
}

# until_so WHAT COMMAND... : waits for the command to succeed; five minutes are the sign of a hang.
until_so() {
    local what=$1 tries
    shift
    for ((tries = 0; tries < 3000; ++tries)); do
        if "$@"; then return; fi
        kill -0 "$pid" 2>/dev/null || fail "it ended while waiting until $what"
        sleep 0.1
    done
    fail "waited five minutes in vain until $what"
}

shows() { [ "$(field "$1" visible)" = 1 ]; }
idle() { [ -n "$(field status.idle visible)" ]; }
has() { [ "$(field "$1" "$2")" = "$3" ]; }
differs() { [ -n "$(field "$1" "$2")" ] && [ "$(field "$1" "$2")" != "$3" ]; }
ended() { ! kill -0 "$pid" 2>/dev/null; }

# click ID : moves the pointer into the middle of a part and presses.
click() {
    shows "$1" || fail "there is no $1 to click on"
    xdotool mousemove $((($(field "$1" x0) + $(field "$1" x1)) / 2)) $((($(field "$1" y0) + $(field "$1" y1)) / 2))
    sleep 0.1
    xdotool click 1
}

# ---- start ------------------------------------------------------------------------------------------------------------

mkdir -p "$folder/config/vitrine"
echo '{"x": 0, "y": 0, "width": 1280, "height": 720, "export_folder": "'"$folder/exported"'"}' >"$folder/config/vitrine/settings.json"
VITRINE_PROBE=$probe XDG_CONFIG_HOME=$folder/config "$vitrine" sun:1 >"$folder/log" 2>&1 &
pid=$!
until_so "the first picture stands" shows stage
until_so "the first image has gone through the model" idle
window=$(xdotool search --pid "$pid" --name Vitrine | tail -1)
[ -n "$window" ] || fail "there is no window named Vitrine"
xdotool mousemove 640 100

# ---- keys and clicks --------------------------------------------------------------------------------------------------

step=$(field step value)
xdotool key Left
until_so "the key ← shows another step" differs step value "$step"
xdotool key Right
until_so "the key → leads back" has step value "$step"

sentence=$(field top.selection text)
click attention.head.1
until_so "a click on head 1 chooses it" differs top.selection text "$sentence"
sentence=$(field top.selection text)
click attention.map.0.cell.10
until_so "a click on a patch makes it the query" has top.selection value 10
differs top.selection text "$sentence" || fail "the sentence of the selection does not follow"

probability=$(field top.0 value)
xdotool key X
until_so "X switches a part off and the prediction moves" differs top.0 value "$probability"
xdotool key X
until_so "X switches it on again and the prediction is back" has top.0 value "$probability"

# ---- another keyboard -------------------------------------------------------------------------------------------------

# Keycodes are places: 24 is the key of A on AZERTY and of Q on a US keyboard, 38 the other way round, 12 the key of 3.
setxkbmap fr
xdotool key ctrl+24
xdotool key F1
until_so "Ctrl A of a French keyboard ends nothing, and F1 helps" shows dialog
xdotool key Escape
hidden() { ! shows dialog; }
until_so "Esc closes the help" hidden
sentence=$(field top.selection text)
xdotool key 12
until_so "the key of 3 chooses head 3 without Shift" differs top.selection text "$sentence"

# ---- a dropped file ---------------------------------------------------------------------------------------------------

cp "$sample" "$folder/dropped picture.png"
"$tools/xdnd" "$window" "$folder/dropped picture.png" || fail "the window did not take the dropped file"
until_so "the dropped image is open" has top.image text "dropped picture.png"
until_so "it has gone through the model" idle

# ---- a pasted picture -------------------------------------------------------------------------------------------------

# Another program owns the clipboard and gives its picture in parts; French keyboards have V where others do.
mkfifo "$folder/owner"
"$tools/clipboard_owner" image/png "$sample" <"$folder/owner" >"$folder/owner.log" &
exec 9>"$folder/owner"
owned() { grep -q ready "$folder/owner.log"; }
until_so "another program owns the clipboard" owned
xdotool key ctrl+v
until_so "the pasted image is open" has top.image text "pasted.png"
cmp "$sample" "$folder/config/vitrine/pasted/pasted.png" || fail "the pasted picture is not the copied one"
until_so "the pasted image has gone through the model" idle
exec 9>&-
"$tools/xdnd" "$window" "$folder/dropped picture.png" || fail "the window did not take the file again"
until_so "the dropped image is open again" has top.image text "dropped picture.png"
until_so "it has gone through the model again" idle

# ---- what it looks like -----------------------------------------------------------------------------------------------

# pictured LEAST FILE [X0 Y0 X1 Y1] : the screen, or that part of it, shows so many colours, none on more than 80 % of it.
pictured() {
    local share
    read -r colours share < <("$tools/screenshot" "$folder/$2" "${@:3}")
    [ "$colours" -ge "$1" ] && [ "$share" -le 80 ]
}
until_so "the stage shows 100 colours" pictured 100 stage.png \
    "$(field stage x0)" "$(field stage y0)" "$(field stage x1)" "$(field stage y1)"
until_so "the window shows 200 colours" pictured 200 window.png
[ -z "${VITRINE_SCREENSHOTS:-}" ] || cp "$folder/window.png" "$VITRINE_SCREENSHOTS/"

# ---- killed, and back ---------------------------------------------------------------------------------------------------

xdotool key F3
until_so "F3 opens the laboratory" shows gallery
kept() { grep -q '"mode": "laboratory"' "$folder"/config/vitrine/autosave-*.vitrine; }
until_so "the session is kept while the window is open" kept
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
VITRINE_PROBE=$probe XDG_CONFIG_HOME=$folder/config "$vitrine" sun:1 >"$folder/log" 2>&1 &
pid=$!
until_so "what was open is offered back" shows recover.restore
click recover.restore
until_so "the laboratory is back" shows gallery
until_so "the dropped image is back" has top.image text "dropped picture.png"
until_so "it has gone through the model once more" idle

# ---- an exported picture is drawn in the window's own context, with the bytes of the command's -----------------------

xdotool key ctrl+e
until_so "Ctrl E opens the export" shows export.png
click export.png
exported() { [ -n "$(find "$folder/exported" -name '*.png' 2>/dev/null)" ]; }
until_so "the picture is written" exported
until_so "it is told" shows export.told
session=$(find "$folder/config/vitrine" -name 'autosave-*.vitrine')
"$vitrine" snapshot --session "$session" --part stage --times 2 --bare --title --size 1280x720 --out "$folder/drawn.png" ||
    fail "the command does not draw what the window keeps"
cmp "$folder/drawn.png" "$folder"/exported/*.png || fail "the window's picture is not the command's"
[ -z "${VITRINE_SCREENSHOTS:-}" ] || cp "$folder/drawn.png" "$VITRINE_SCREENSHOTS/exported.png"
xdotool key Escape
until_so "Esc closes the export" hidden

# ---- end --------------------------------------------------------------------------------------------------------------

xdotool key ctrl+38
until_so "Ctrl Q of a French keyboard ends it" ended || true
status=0
wait "$pid" || status=$?
pid=
[ "$status" = 0 ] || fail "it ended with status $status"
grep -q '"width"' "$folder/config/vitrine/settings.json" || fail "the settings were not saved"
[ -z "$(find "$folder/config/vitrine" -name 'autosave-*')" ] || fail "a window that was closed leaves a session behind"

# ---- the start page; nothing is offered back after a window that was closed, all is after one that was killed -----------

# open_window ARGUMENTS... : the window again.
open_window() {
    rm -f "$probe"
    VITRINE_PROBE=$probe XDG_CONFIG_HOME=$folder/config "$vitrine" "$@" >"$folder/log" 2>&1 &
    pid=$!
}
not_offered() { [ -z "$(field recover.restore visible)" ]; }
open_window
until_so "the start page stands where nothing is named" shows start.continue
not_offered || fail "a window that was closed is offered back"
shows start.image.0 || fail "the dropped picture is not among the recent ones"
click start.continue
until_so "the laboratory goes on" shows gallery
until_so "the last picture goes on" has top.image text "dropped picture.png"
until_so "its session is kept" kept
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
cp "$folder/config/vitrine/last.vitrine" "$folder/named.vitrine"
open_window "$folder/named.vitrine"
until_so "what was killed is offered back, though a session is named" shows recover.restore
case $(field recover.restore text) in
    "dropped picture.png"*) ;;
    *) fail "the offer does not name its picture: $(field recover.restore text)" ;;
esac
until_so "the named session is there" idle
xdotool key ctrl+38
until_so "the window ends with the offer open" ended || true
wait "$pid" || true
pid=
[ -n "$(find "$folder/config/vitrine" -name 'autosave-*.vitrine')" ] || fail "closing throws away what was offered"
rm "$folder/named.vitrine"  # which holds the same, so that nothing would be lost
open_window sun:1
until_so "what was not taken is offered again" shows recover.discard
click recover.discard
until_so "the named picture is there" idle
xdotool key ctrl+38
until_so "the window ends" ended || true
wait "$pid" || true
pid=
[ -z "$(find "$folder/config/vitrine" -name 'autosave-*')" ] || fail "what was thrown away is offered for ever"

# ---- a lecture that is killed continues at its stop ---------------------------------------------------------------------

printf 'lesson: Mine\nstep: image\nstep: heads\n' >"$folder/mine.lesson"
open_window "$folder/mine.lesson"
until_so "the lecture is on" shows lecture.progress
xdotool key Next
at_stop() { grep -q '"stop": 2' "$folder"/config/vitrine/autosave-*.vitrine; }
until_so "its stop is kept" at_stop
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
open_window sun:1
until_so "the lecture is offered back" shows recover.restore
click recover.restore
until_so "it is on again" shows lecture.progress
until_so "at its stop" has lecture.progress value 1
xdotool key ctrl+38
until_so "the window of the lecture ends" ended || true
wait "$pid" || true
pid=

# ---- recorded, and played ---------------------------------------------------------------------------------------------

# start OPTIONS... : the window again, once its first picture stands.
start() {
    rm -f "$probe"
    VITRINE_PROBE=$probe XDG_CONFIG_HOME=$folder/config "$vitrine" "$@" >"$folder/log" 2>&1 &
    pid=$!
    until_so "the window is there again" idle
}
start sun:1 --record "$folder/steps.txt"
picture=$(field top.image text)
xdotool key F3
until_so "the recorded window shows the laboratory" shows gallery
xdotool key ctrl+38
until_so "the recorded window ends" ended || true
wait "$pid" || true
grep -q '"room.laboratory"' "$folder/steps.txt" || fail "the recording does not know of the laboratory"
before=$(cat "$folder/config/vitrine/settings.json")
start cat --play "$folder/steps.txt"
until_so "the recording opens the laboratory" shows gallery
until_so "it opens the picture" has top.image text "$picture"
kill "$pid"
wait "$pid" 2>/dev/null || true
pid=
[ "$before" = "$(cat "$folder/config/vitrine/settings.json")" ] || fail "playing a recording changed the settings"
# ---- a stream, which is not kept ----------------------------------------------------------------------------------------

kept_sessions() { find "$folder/config/vitrine" -name 'autosave-*.vitrine' -printf '%p %T@ '; }
start cat --stream "$(dirname "$sample")"
until_so "frames of the folder are shown" differs stream value 0
kept=$(kept_sessions)
at=$(field stream text)
until_so "another frame is shown" differs stream text "$at"
sleep 2  # a window writes once a second
[ "$kept" = "$(kept_sessions)" ] || fail "a stream is kept: $(kept_sessions), before $kept"
click stream.stop
until_so "the image from before is shown" has top.image text cat
kill "$pid"
wait "$pid" 2>/dev/null || true
pid=
echo "window_smoke: keys, clicks, a drop, a kill, a recording and a screenshot of $colours colours"
