#!/bin/bash
# package_try_inside.sh installed DEB | portable ARCHIVE
#
# The half of package_try.sh that runs in a pristine Debian, as root, with an ordinary user 'guest'.
set -euo pipefail

export DISPLAY=:7 XDG_CURRENT_DESKTOP=GNOME # of which xdg-open asks GIO, as most desktops do
say() { echo "  $*"; }
die() {
    echo "  WRONG: $*" >&2
    exit 1
}

as_guest() { su guest -c "cd && $*"; }

start_screen() {
    Xvfb $DISPLAY -screen 0 1280x800x24 -nolisten tcp -noreset >/dev/null 2>&1 &
    for _ in $(seq 100); do
        xdpyinfo >/dev/null 2>&1 && return
        sleep 0.2
    done
    die "Xvfb does not start"
}

# How many colours the screen shows: a black one has one.
colours() { xwd -root -silent | tail -c "$((1280 * 800 * 4))" | od -An -v -tx4 -w4 | sort -u | wc -l; }

# shows NAME COMMAND : the command of a user opens a window "NAME – Vitrine", and it draws.
shows() {
    local name=$1 job seen=0 count=0
    shift
    setsid su guest -c "cd && exec $*" >/tmp/words 2>&1 &
    job=$!
    for _ in $(seq 300); do
        sleep 0.5
        if xwininfo -root -tree | LC_ALL=C grep -qa "\"$name .*Vitrine\""; then
            count=$(colours)
            [ "$count" -gt 200 ] && seen=1 && break
        fi
    done
    kill -- -$job 2>/dev/null || true
    # what xdg-open or gio started may have a session of its own; this machine's processes are all the trial's
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/exe" 2>/dev/null)" != "$(readlink -f "$program")" ] || kill "${process#/proc/}" 2>/dev/null || true
    done
    wait $job 2>/dev/null || true
    [ $seen = 1 ] || die "'$*' shows no window '$name' that draws ($count colours): $(cat /tmp/words)"
    say "'$*' shows '$name' in $count colours"
    for _ in $(seq 40); do
        xwininfo -root -tree | grep -q Vitrine || return 0
        sleep 0.25
    done
    die "the window stays after its program"
}

# The type by which desktops know a file of the user's.
type_of() { as_guest "gio info -a standard::content-type '$1'" | sed -n 's/.*content-type: //p'; }

# Every file with its kind, but those of the kernel, of apt's and dpkg's own memory and of users.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log -o -path /run \
        -o -path /home -o -path /root \) -prune -o -printf '%p %y\n' | sort
}

try_installed() {
    local deb=$1 exec_line
    apt-get update -q >/dev/null
    files >/tmp/before
    dpkg-query -W >/tmp/packages_before
    apt-get install -y -q "$deb" >/tmp/apt.log 2>&1 || die "apt-get refuses the package: $(tail -5 /tmp/apt.log)"
    program=/usr/bin/vitrine
    say "apt-get has installed it and $(dpkg-query -W | grep -vxFf /tmp/packages_before | grep -cv ^vitrine) packages more"
    desktop-file-validate /usr/share/applications/vitrine.desktop || die "the .desktop file is wrong"
    as_guest "vitrine trace cat --top 1" | tail -2

    start_screen
    exec_line=$(sed -n 's/^Exec=//p' /usr/share/applications/vitrine.desktop)
    shows cat "${exec_line% %f}"

    as_guest "cp /usr/share/icons/hicolor/256x256/apps/vitrine.png photo.png"
    as_guest "printf '{\n  \"vitrine_session\": 1,\n  \"image\": {\"path\": \"/home/guest/photo.png\"}\n}\n' >mine.vitrine"
    as_guest "printf 'lesson: One\n\nstep: attention\nimage: rocket\n' >mine.lesson"
    for pair in photo.png=image/png mine.vitrine=application/x-vitrine-session mine.lesson=text/x-vitrine-lesson; do
        told=$(type_of "${pair%%=*}")
        [ "$told" = "${pair#*=}" ] || die "${pair%%=*} is taken for $told"
        as_guest "gio mime $told" | sed -n 1p | grep -c 'vitrine.desktop' >/dev/null || die "$told is not opened by Vitrine"
    done
    as_guest "mv mine.vitrine without_ending"
    told=$(type_of without_ending)
    [ "$told" = application/x-vitrine-session ] || die "a session without its ending is taken for $told"
    as_guest "mv without_ending mine.vitrine"
    shows photo.png "xdg-open photo.png"
    shows photo.png "gio open mine.vitrine"
    shows rocket "xdg-open mine.lesson"

    man --warnings vitrine 2>/tmp/man.words | grep -c 'vitrine snapshot' >/dev/null || die "man vitrine shows nothing"
    [ ! -s /tmp/man.words ] || die "man says: $(cat /tmp/man.words)"
    bash -c '. /usr/share/bash-completion/bash_completion; _comp_load vitrine || _completion_loader vitrine; complete -p vitrine' 2>/dev/null | grep -c _vitrine >/dev/null ||
        die "bash does not complete"
    say "the manual and the completion are there"

    apt-get purge -y -q vitrine >/dev/null 2>&1
    # what came with it goes with it, though the trial's own tools would have liked it, too
    apt-get autoremove --purge -y -q -o APT::AutoRemove::RecommendsImportant=false -o APT::AutoRemove::SuggestsImportant=false >/dev/null 2>&1
    dpkg-query -W >/tmp/packages_after
    files >/tmp/after
    diff /tmp/packages_before /tmp/packages_after || die "packages stay behind"
    diff /tmp/before /tmp/after || die "files stay behind, or went with it"
    say "removed without a trace"
}

try_portable() {
    local archive=$1
    [ -z "$(ldconfig -p | grep -E 'libdnnl|libglfw|libgomp|libstb')" ] || die "this machine has the libraries that are to be missing"
    as_guest "tar -xf $archive"
    as_guest "mv vitrine-* 'a folder'"
    program="/home/guest/a folder/bin/vitrine"
    as_guest "'a folder/vitrine' trace cat --top 1" | tail -2
    as_guest "'a folder/vitrine' snapshot cat --step attention --out cat.png" || die "no snapshot"
    [ "$(as_guest "stat -c %s cat.png")" -gt 50000 ] || die "the snapshot is empty"
    start_screen
    shows cat "'./a folder/vitrine'"
    say "the portable folder runs"
}

case $1 in
    installed) try_installed "$2" ;;
    portable) try_portable "$2" ;;
esac
