#!/bin/bash
# package_try.sh SUITE [FOLDER]
#
# Tries the packages of FOLDER (build/packages) in pristine Debians of that name (bookworm, trixie): the .deb is installed by apt,
# started as the menu does, draws, opens files by their type, has its manual and completion, and is removed without a trace; the
# portable folder runs as an ordinary user where its libraries are not. As root; takes minutes.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
suite=${1:?name a suite: bookworm or trixie}
packages=${2:-$root/build/packages}
machines=${MACHINES:-$root/build/machines}
fresh=$root/packaging/fresh_machine.sh
declare -A release=([bookworm]=12 [trixie]=13)
newest() { find "$packages" -maxdepth 1 -name "$1" -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-; }
deb=$(newest "vitrine_*~deb${release[$suite]:?there is no package for $suite}_*.deb")
portable=$(newest "vitrine-*-x86_64.tar.xz")
[ -f "$deb" ] && [ -f "$portable" ] || {
    echo "package_try: build/packages lacks the packages for $suite; run ./dev package --for $suite" >&2
    exit 1
}

# What both trials use: a screen, a look at it, an ordinary user.
screen_packages=(xvfb x11-utils x11-apps xauth)

# new_machine NAME PACKAGE... : a pristine Debian with these; its folder.
new_machine() {
    local folder=$machines/$suite-$1
    shift
    [ ! -e "$folder" ] || "$fresh" remove "$folder"
    "$fresh" make "$suite" "$folder" "$@" >&2
    cp "$root/tests/package_try_inside.sh" "$folder/try.sh"
    "$fresh" run "$folder" "useradd --create-home guest" >&2
    echo "$folder"
}

step() { echo "package_try ($suite): $*"; }

step "the .deb"
# init: as every Debian that starts has; once there, apt would keep it
machine=$(new_machine installed "${screen_packages[@]}" init man-db xdg-utils libglib2.0-bin desktop-file-utils bash-completion)
cp "$deb" "$machine/vitrine.deb"
"$fresh" run "$machine" "/try.sh installed /vitrine.deb"
"$fresh" remove "$machine"

step "the portable folder"
machine=$(new_machine portable "${screen_packages[@]}" xz-utils libgl1 libegl1 libgl1-mesa-dri libx11-6)
cp "$portable" "$machine/vitrine.tar.xz"
"$fresh" run "$machine" "/try.sh portable /vitrine.tar.xz"
"$fresh" remove "$machine"

step "lintian"
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error --suppress-tags bad-distribution-in-changes-file "$deb"
else
    step "lintian is not installed; nothing is said of the package's manners"
fi
step "all is well"
