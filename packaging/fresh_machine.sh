#!/bin/bash
# fresh_machine.sh make SUITE FOLDER [PACKAGE...]   a pristine minimal Debian (bookworm, trixie) with these packages
# fresh_machine.sh run FOLDER COMMAND               runs a line of shell in it as root; its processes end with it
# fresh_machine.sh remove FOLDER
#
# As root; needs debootstrap and, the first time, a Debian mirror. CACHE (~/.cache/vitrine-machines) keeps what was fetched,
# MIRROR is this machine's own.
set -euo pipefail

die() {
    echo "fresh_machine: $*" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || die "making and entering another Debian needs root; run it as root"

mirror() {
    local own
    own=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -1 | tr -d ' ' || true)
    echo "${MIRROR:-${own:-http://deb.debian.org/debian}}" | sed 's,/$,,'
}

# enter FOLDER COMMAND: in namespaces of its own for mounts and processes, with nothing of this machine's environment but its proxy.
enter() {
    local folder=$1 proxy=() name
    shift
    cp -L /etc/resolv.conf /etc/hosts "$folder/etc/" 2>/dev/null || true
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -z "${!name:-}" ] || proxy+=("$name=${!name}")
    done
    # shellcheck disable=SC2016
    unshare --mount --pid --fork bash -c '
        set -e
        mount -t proc proc "$1/proc"
        mkdir -p "$1/dev/shm" "$1/dev/pts" && mount -t tmpfs -o size=1g shm "$1/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" 2>/dev/null || true
        exec env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${@:3}" \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin chroot "$1" /bin/bash -c "$2"' \
        _ "$folder" "$*" "${proxy[@]}"
}

make() {
    local suite=$1 folder=$2 cache=${CACHE:-$HOME/.cache/vitrine-machines} tar new file
    shift 2
    [ ! -e "$folder" ] || [ -z "$(ls -A "$folder")" ] || die "$folder is not empty; name another folder"
    mkdir -p "$cache" "$folder"
    tar=$cache/$suite-minbase.tar
    if [ ! -s "$tar" ]; then
        new=$(mktemp -d "$cache/$suite.XXXXXX")
        debootstrap --variant=minbase --include=ca-certificates "$suite" "$new" "$(mirror)" >"$cache/$suite.log" 2>&1 ||
            die "debootstrap failed; all it said is in $cache/$suite.log"
        for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*proxy*; do
            [ ! -f "$file" ] || install -D -m 644 "$file" "$new$file"
        done
        printf '#!/bin/sh\nexit 101\n' >"$new/usr/sbin/policy-rc.d" # no service is started
        chmod +x "$new/usr/sbin/policy-rc.d"
        printf 'deb %s main\n' "$(mirror) $suite" "$(mirror) $suite-updates" "$(mirror)-security $suite-security" >"$new/etc/apt/sources.list"
        rm -f "$new"/var/cache/apt/archives/*.deb
        tar -C "$new" --numeric-owner -cf "$tar.part" . && mv "$tar.part" "$tar"
        rm -rf --one-file-system "$new"
    fi
    tar -C "$folder" --numeric-owner -xf "$tar"
    chmod 755 "$folder" # its root, which everybody enters
    [ $# = 0 ] || enter "$(realpath "$folder")" "apt-get update -q && apt-get install -y -q --no-install-recommends $*" >"$folder/var/log/packages.log" 2>&1 ||
        die "packages could not be installed; all apt-get said is in $folder/var/log/packages.log"
}

case ${1:-} in
    make) make "${@:2}" ;;
    run) enter "$(realpath "$2")" "${*:3}" ;;
    remove)
        [ -e "$2/etc/debian_version" ] || die "$2 holds no Debian"
        rm -rf --one-file-system "$2"
        ;;
    *)
        sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
