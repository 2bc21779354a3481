#!/bin/bash
# two_monitors.sh VITRINE
#
# A lecture on two monitors: Xorg with the dummy video driver, whose outputs can be plugged and unplugged, a window
# manager, and the real window, driven by real X events. DUMMY0 is the lecturer's own, DUMMY1 the projector.
# The hall's window tells where its parts are through VITRINE_PROBE (see window_smoke.sh), the presenter's beside it.
# Exit status 77: Xorg, its dummy driver, the window manager or xdotool is not here, or Xorg may not start.
set -euo pipefail

vitrine=$1
for tool in Xorg openbox xrandr xdotool xprop xwininfo; do
    command -v "$tool" >/dev/null || {
        echo "two_monitors: there is no $tool; ./dev hall installs it" >&2
        exit 77
    }
done

folder=$(mktemp -d)
probe=$folder/probe
xorg='' manager='' pid=''
end() {
    for one in $pid $manager $xorg; do kill "$one" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT

fail() {
    echo "two_monitors: $*" >&2
    echo "--- the window's last words" >&2
    cat "$folder/log" >&2
    for file in "$probe" "$probe.presenter"; do
        echo "--- $file" >&2
        cat "$file" >&2 || true
    done
    xrandr --listmonitors >&2 || true
    exit 1
}

# ---- the screens ------------------------------------------------------------------------------------------------------

cat >"$folder/xorg.conf" <<'CONF'
Section "ServerFlags"
    Option "AutoAddDevices" "false"
    Option "DontVTSwitch" "true"
EndSection
Section "Device"
    Identifier "dummy"
    Driver "dummy"
    VideoRam 65536
EndSection
Section "Monitor"
    Identifier "monitor"
    HorizSync 5-1000
    VertRefresh 5-200
EndSection
Section "Screen"
    Identifier "screen"
    Device "dummy"
    Monitor "monitor"
    DefaultDepth 24
    SubSection "Display"
        Depth 24
        Virtual 2560 1440
    EndSubSection
EndSection
CONF
mkfifo "$folder/number"
Xorg -config "$folder/xorg.conf" -logfile "$folder/xorg.log" -noreset -nolisten tcp -novtswitch -sharevts \
    -displayfd 3 3>"$folder/number" >"$folder/xorg.out" 2>&1 &
xorg=$!
number=
read -r -t 300 number <"$folder/number" || true
if [ -z "$number" ]; then
    echo "two_monitors: Xorg's dummy driver does not start here: $(grep -m1 '(EE)' "$folder/xorg.log" || tail -1 "$folder/xorg.out")" >&2
    exit 77
fi
export DISPLAY=:$number
# The driver looks who is there when it is asked for the list.
plug() { xrandr --output DUMMY1 --mode 1280x720 --right-of DUMMY0 && xrandr --query >/dev/null; }
unplug() { xrandr --output DUMMY1 --off && xrandr --query >/dev/null; }
if ! { xrandr --output DUMMY0 --mode 1280x720 --primary && xrandr --addmode DUMMY1 1280x720 && plug; } >"$folder/xrandr" 2>&1; then
    echo "two_monitors: this dummy driver has one monitor: $(tail -1 "$folder/xrandr")" >&2
    exit 77
fi
openbox >"$folder/openbox.log" 2>&1 &
manager=$!
for ((tries = 0; tries < 3000; ++tries)); do # GLFW asks once what it can do
    if xprop -root _NET_SUPPORTED 2>/dev/null | grep -q FULLSCREEN; then break; fi
    sleep 0.1
done

# ---- what is on them --------------------------------------------------------------------------------------------------

# field FILE ID NAME : one of visible, x0, y0, x1, y1, value, text of what a window drew last; empty where it did not.
field() {
    # shellcheck disable=SC2034  # used by name, ${!3}
    local id visible x0 y0 x1 y1 value text
    # shellcheck disable=SC2034
    while read -r id visible x0 y0 x1 y1 value text; do
        if [ "$id" = "$2" ]; then
            echo "${!3}"
            return
        fi
    done 2>/dev/null <"$1" || true
}
hall() { field "$probe" "$@"; }
presenter() { field "$probe.presenter" "$@"; }

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

not() { ! "$@"; }
hall_shows() { [ "$(hall "$1" visible)" = 1 ]; }
presenter_shows() { [ "$(presenter "$1" visible)" = 1 ]; }
at_stop() { [ "$(hall lecture.progress value)" = "$1" ]; }
window_named() { xdotool search --onlyvisible --name "$1" 2>/dev/null | head -1; }
there_is() { [ -n "$(window_named "$1")" ]; }

# area WINDOW : its place and size, "x y width height". (xdotool counts a frame twice.)
area() {
    xwininfo -id "$1" | sed -n 's/.*\(Absolute upper-left [XY]\|Width\|Height\): *//p' | paste -sd ' '
}
covers() { [ "$(area "$1")" = "$2" ]; }
# on WINDOW LEFT : it lies whole between LEFT and LEFT + 1280.
on() {
    local x y width height
    read -r x y width height < <(area "$1")
    [ "$x" -ge "$2" ] && [ $((x + width)) -le $(($2 + 1280)) ] && [ "$y" -ge 0 ] && [ $((y + height)) -le 720 ]
}
is_open() { xprop -id "$1" WM_STATE | grep -q Normal; }
focused() { [ "$(xdotool getactivewindow 2>/dev/null)" = "$1" ]; }

# click ID : presses a button of the presenter's window.
click() {
    presenter_shows "$1" || fail "the presenter has no $1"
    local x y width height
    read -r x y width height < <(area "$screen")
    xdotool mousemove $((x + ($(presenter "$1" x0) + $(presenter "$1" x1)) / 2)) \
        $((y + ($(presenter "$1" y0) + $(presenter "$1" y1)) / 2))
    sleep 0.2
    xdotool click 1
}

readonly projector="1280 0 1280 720" own="0 0 1280 720"

# ---- a lesson, named on the command line ------------------------------------------------------------------------------

mkdir -p "$folder/config/vitrine"
echo '{"x": 60, "y": 60, "width": 1000, "height": 560}' >"$folder/config/vitrine/settings.json"
printf 'lesson: Three\nstep: image\nminutes: 2\nnotes: Say this.\nstep: heads\nlab: ledger\n' >"$folder/my lesson.txt"
VITRINE_PROBE=$probe XDG_CONFIG_HOME=$folder/config "$vitrine" "$folder/my lesson.txt" >"$folder/log" 2>&1 &
pid=$!
until_so "the lesson's first stop is there" at_stop 0
window=$(window_named 'Vitrine')
until_so "its window has the focus" focused "$window"
on "$window" 0 || fail "the window opens at $(area "$window"), not on the lecturer's monitor"
windowed=$(area "$window")

# ---- the presenter's window -------------------------------------------------------------------------------------------

xdotool key w
until_so "the presenter's window opens" there_is Presenter
screen=$(window_named Presenter)
until_so "the picture fills the projector" covers "$window" "$projector"
until_so "the presenter has the other monitor" on "$screen" 0
until_so "it shows the notes" presenter_shows notes
[ "$(presenter notes text)" = "Say this." ] || fail "the notes are '$(presenter notes text)'"
[ -z "$(hall lecture.notes visible)" ] || fail "the notes lie on the picture"

# ---- the focus leaves, keys and clicks lead on --------------------------------------------------------------------------

xdotool windowactivate "$screen"
until_so "the presenter's window has the focus" focused "$screen"
sleep 0.5
is_open "$window" || fail "full screen was minimised when the focus left"
covers "$window" "$projector" || fail "full screen went to $(area "$window") when the focus left"
xdotool key Next
until_so "Page Down leads the hall on while the presenter's window has the focus" at_stop 1
click presenter.ask
until_so "a click there shows the hall the question" hall_shows lecture.question
click presenter.black
until_so "and one a black screen" hall_shows lecture.black
click presenter.black
until_so "and the question again" not hall_shows lecture.black
click presenter.back
until_so "the question goes first" not hall_shows lecture.question

# ---- the projector goes and comes -----------------------------------------------------------------------------------------

unplug
# Where it was: openbox moves a full screen to the other monitor before the window itself has seen the change.
until_so "the picture comes back whole when the projector goes" covers "$window" "$windowed"
is_open "$window" || fail "the window is not open"
there_is Presenter || fail "the presenter's window went with the projector"
until_so "the lecture goes on" at_stop 1
plug
until_so "the picture fills the projector again" covers "$window" "$projector"

# ---- closing --------------------------------------------------------------------------------------------------------------

xdotool windowactivate "$screen"
until_so "the presenter's window has the focus again" focused "$screen"
xdotool key alt+F4
until_so "it is closed" not there_is Presenter
sleep 0.5
kill -0 "$pid" || fail "closing the presenter's window ended the lecture"
covers "$window" "$projector" || fail "closing the presenter's window took the picture from the projector"
xdotool windowactivate "$window"
until_so "the hall's window has the focus" focused "$window"
xdotool key w
until_so "W opens it again" there_is Presenter
screen=$(window_named Presenter)
xdotool windowactivate "$window"
until_so "the hall's window has the focus once more" focused "$window"
xdotool key F5
until_so "the end of the lecture closes it" not there_is Presenter
until_so "and the window is where it was" covers "$window" "$windowed"

# ---- a lecture that begins with its presenter's window -------------------------------------------------------------------

for over in Escape l; do
    xdotool windowactivate "$window"
    until_so "the window has the focus between two lectures" focused "$window"
    xdotool key l
    until_so "the presenter's window comes with the lecture" there_is Presenter
    until_so "and the picture fills the projector from the beginning" covers "$window" "$projector"
    until_so "the lecture resumes where it was left" at_stop 1
    xdotool windowactivate "$window"
    until_so "the hall's window has the focus in its second lecture" focused "$window"
    xdotool key $over
    until_so "$over ends it, and closes the presenter's window" not there_is Presenter
    until_so "and after $over the window is where it was" covers "$window" "$windowed"
done

# ---- full screen on the chosen monitor ------------------------------------------------------------------------------------

xdotool key F11
until_so "F11 fills the monitor where the window is" covers "$window" "$own"
xdotool key F11
until_so "and gives it back" covers "$window" "$windowed"
xdotool key shift+l
until_so "the dialog lists the monitors" hall_shows monitor.1
read -r x y width height < <(area "$window")
button=monitor.0
case $(hall monitor.1 text) in DUMMY1*) button=monitor.1 ;; esac
xdotool mousemove $((x + ($(hall $button x0) + $(hall $button x1)) / 2)) \
    $((y + ($(hall $button y0) + $(hall $button y1)) / 2))
sleep 0.2
xdotool click 1
sleep 0.5
xdotool key Escape
until_so "the dialog closes" not hall_shows monitor.1
xdotool key F11
until_so "F11 fills the chosen monitor" covers "$window" "$projector"
unplug
until_so "without it the window is whole on the other" on "$window" 0
xdotool key ctrl+q
ended() { ! kill -0 "$pid" 2>/dev/null; }
until_so "Ctrl Q ends it" ended || true
status=0
wait "$pid" || status=$?
pid=
[ "$status" = 0 ] || fail "it ended with status $status"
grep -q '"hall_monitor": "DUMMY1"' "$folder/config/vitrine/settings.json" || fail "the chosen monitor is not remembered"

# Closing the hall's window ends both.
rm -f "$probe" "$probe.presenter"
VITRINE_PROBE=$probe XDG_CONFIG_HOME=$folder/config "$vitrine" "$folder/my lesson.txt" >"$folder/log" 2>&1 &
pid=$!
until_so "the lesson is open again" at_stop 0
until_so "the presenter's window is remembered, and stands beside on one monitor" there_is Presenter
until_so "and says itself that it covers the picture" presenter_shows presenter.one_screen
window=$(window_named '^cat')
xdotool windowactivate "$window"
until_so "the hall's window has the focus at last" focused "$window"
xdotool key alt+F4
until_so "closing the hall's window ends the presenter's, too" ended || true
status=0
wait "$pid" || status=$?
pid=
[ "$status" = 0 ] || fail "closed by its user it ended with status $status"
echo "two_monitors: a presenter's window, focus, a projector that goes and comes, full screen where it was chosen"
