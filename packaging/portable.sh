#!/bin/bash
# portable.sh BUILD OUT
#
# Lays the program of a build folder and the libraries that not every machine has into one folder, packed as
# OUT/vitrine-VERSION-x86_64.tar.xz. What belongs to a machine stays its own: glibc, X11, OpenGL and EGL.
set -euo pipefail

build=$1 out=$2
beside='libdnnl|libOpenCL|libgomp|libomp|libtbb|libglfw|libstb|libz|libjpeg|libwebp|libwebpdemux|libsharpyuv|liblcms2'
compiler='libstdc\+\+|libgcc_s' # beside it, too, but not before the machine's, which its OpenGL needs
of_the_machine='linux-vdso|ld-linux.*|libc|libm|libdl|libpthread|librt|libEGL|libGL|libGLX|libOpenGL|libGLdispatch|libX[A-Za-z0-9]+|libxcb.*|libxkbcommon.*|libwayland.*|libbsd|libmd|libffi|libdrm|libgbm'

program=$build/portable/vitrine
name=vitrine-$("$build/vitrine" --version | cut -d ' ' -f 2)-$(uname -m)
folder=$build/portable/$name
rm -rf "$folder"
cmake --install "$build" --prefix "$folder" --strip >/dev/null
install -m 755 -s "$program" "$folder/bin/vitrine"
mkdir -p "$folder/lib/compiler" "$folder/share/doc/vitrine/libraries"
install -m 755 "$(dirname "$0")/portable_start.sh" "$folder/vitrine"

# take PATH TO : lays a library there, with the licence of its package.
take() {
    local file package
    file=$(realpath "$1")
    install -m 644 "$file" "$2"
    strip --strip-unneeded "$2"
    package=$({ dpkg-query -S "$file" || dpkg-query -S "${file#/usr}"; } 2>/dev/null | cut -d : -f 1)
    cp -L "/usr/share/doc/$package/copyright" "$folder/share/doc/vitrine/libraries/$package"
}

# libraries: NAME and PATH of all that the program needs, those of others too.
while read -r library path; do
    if grep -qE "^($beside)\.so" <<<"$library"; then
        take "$path" "$folder/lib/$library"
    elif grep -qE "^($compiler)\.so" <<<"$library"; then
        version=$(basename "$(realpath "$path")") # by which portable_start.sh compares
        take "$path" "$folder/lib/compiler/$version"
        [ "$version" = "$library" ] || ln -s "$version" "$folder/lib/compiler/$library"
    elif ! grep -qE "^($of_the_machine)\.so" <<<"${library##*/}"; then
        echo "portable.sh: the program needs $library, of which portable.sh does not say whether it lies beside it or is the machine's" >&2
        exit 1
    fi
done < <(ldd "$program" | sed -n 's/^\t\([^ ]*\) => \([^ ]*\) .*/\1 \2/p; s/^\t\([^ ]*\) (.*/\1 \1/p')

elsewhere=$(ldd "$folder/bin/vitrine" | grep -E "^	($beside)\.so" | grep -vF "=> $folder/bin/../lib/" || true)
[ -z "$elsewhere" ] || {
    echo "portable.sh: the program does not find these beside itself: $elsewhere" >&2
    exit 1
}

cat >"$folder/README.txt" <<WORDS
Vitrine for any x86-64 Linux (x86-64-v2 or newer) with glibc $(ldd --version | sed -n '1s/.* //p') or newer and OpenGL 3.3; nothing is installed.

    ./vitrine

lib/ holds the libraries that not every machine has; share/doc/vitrine their licences and that of Vitrine.
WORDS
mkdir -p "$out"
XZ_OPT="-6 -T0" tar -C "$build/portable" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(date +%s)}" -cJf "$out/$name.tar.xz" "$name"
echo "$out/$name.tar.xz"
