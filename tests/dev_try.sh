#!/bin/bash
# dev_try.sh: what ./dev asks of CMake and of apt, in a copy where both, and what packs, only write down what they are asked.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
unset SOURCE_DATE_EPOCH VITRINE_MATMUL
export CALLS=$copy/calls PATH=$copy/bin:$PATH VITRINE_JOBS=1
mkdir -p "$copy/bin" "$copy/packaging"
cp "$root/dev" "$root/CMakeLists.txt" "$root/CMakePresets.json" "$copy"

# stub NAME : a program of that name that does what stands on stdin, with $folder the build folder that it is asked for.
stub() {
    { printf '#!/bin/bash\necho "%s $*" >>"$CALLS"\nfolder=$(sed -nE "s/.*(-B|--build) ([^ ]*).*/\\2/p" <<<"$*")\n' "$1"; cat; } >"$copy/bin/$1"
    chmod +x "$copy/bin/$1"
}
version=$(sed -n 's/^project(vitrine VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
stub cmake <<WORDS
[ "\$1" = --build ] && exit
mkdir -p "\$folder/usr/share/doc/vitrine" "\$folder/cpack"
printf 'vitrine ($version~deb12) unstable\\n\\n --  %s\\n' "\${STUCK:-\$(LC_ALL=C date -u -d "@\${SOURCE_DATE_EPOCH:-0}" '+%a, %d %b %Y %T +0000')}" |
    gzip -c >"\$folder/usr/share/doc/vitrine/changelog.gz"
WORDS
stub cpack <<<'folder=${folder%/cpack}; tar -C "$folder" -cf "$folder/cpack/vitrine.deb" ./usr'
stub dpkg-deb <<<'cat "$2"'
stub dpkg-query <<<'[ "$1" != -W ] || printf "installed %s\n" "${@:3}" | grep -v libdnnl-dev'
stub apt-get <<<'exit 0'
stub ctest <<<'exit 0'
stub sudo <<<'"$@"'
printf '#!/bin/bash\n' >"$copy/packaging/portable.sh"
chmod +x "$copy/packaging/portable.sh"

# expect WHAT LINE... : the calls that match WHAT since the last time are these.
expect() {
    local got wanted
    got=$(sed "s,$copy/,,g" "$CALLS" | grep -E "$1" || true)
    wanted=$(printf '%s\n' "${@:2}")
    [ "$got" = "$wanted" ] || {
        printf 'dev_try: asked for\n%s\ninstead of\n%s\n' "$got" "$wanted" >&2
        exit 1
    }
    rm -f "$CALLS"
}

# fails_with SENTENCE ARGUMENT... : ./dev ends with it.
fails_with() {
    local said
    if said=$(./dev "${@:2}" 2>&1) || [ "${said##*$'\n'}" != "dev: $1" ]; then
        printf 'dev_try: ./dev %s says\n%s\ninstead of\ndev: %s\n' "${*:2}" "$said" "$1" >&2
        exit 1
    fi
}

cd "$copy"
./dev build 2>/dev/null
expect '^cmake --preset|^apt-get install' \
    "apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 libdnnl-dev" \
    "cmake --preset release -B build/release -DVITRINE_TESTS=OFF -DVITRINE_MATMUL=onednn"
./dev build 2>/dev/null
expect '^cmake' "cmake --build build/release --target vitrine --parallel 1" # it is configured

VITRINE_MATMUL=eigen ./dev build debug 2>/dev/null
expect '^cmake|^apt-get install' \
    "cmake --preset debug -B build/debug-eigen -DVITRINE_TESTS=OFF -DVITRINE_MATMUL=eigen" \
    "cmake --build build/debug-eigen --target vitrine --parallel 1"
VITRINE_MATMUL=blas fails_with "VITRINE_MATMUL is 'blas'; it may be onednn or eigen" build

# How long building and testing take: of a folder that is not built, then of one where the last tests took an hour.
takes() {
    local said wanted="dev: building and testing take about $1"
    said=$(./dev test 2>&1 | grep '^dev: building') || true
    [ "$said" = "$wanted" ] || {
        printf 'dev_try: ./dev test says\n%s\ninstead of\n%s\n' "$said" "$wanted" >&2
        exit 1
    }
    rm -f "$CALLS"
}
takes "44 min on this machine (jobs at once: 1; nothing is built yet)"
mkdir -p build/release/tests build/release/Testing/Temporary
touch build/release/tests/app_tests
printf 'one 3 1200.5\ntwo 1 2400\n---\nthree\n' >build/release/Testing/Temporary/CTestCostData.txt
takes "61 min on this machine (jobs at once: 1)"
VITRINE_JOBS=4 takes "16 min on this machine (jobs at once: 4)"
rm -rf build/release/tests

# The tests of core alone are built alone.
./dev test --core -R X 2>/dev/null
expect '^ctest|^cmake --build' "cmake --build build/release --target core_tests --parallel 1" \
    "ctest --test-dir build/release --output-on-failure --no-tests=error --parallel 1 -L core -R X"

# The table of products gets new rows for the vectors that there are, in one block; all others stay.
mkdir -p core/tensor
printf '%s\n' '// oneDNN 2; x86-64-v4; there' '{"oneDNN", 4, old},' '// oneDNN 2; x86-64-v3; there' '{"oneDNN", 3, old},' \
    '// Eigen 3; x86-64-v3; there' '{"Eigen", 3, old},' >core/tensor/product_table.inc
mkdir -p build/release
cat >build/release/vitrine <<'WORDS'
#!/bin/bash
case "$1 $VITRINE_VECTORS" in
    "info v3") echo '"vectors": "x86-64-v3"' ;;
    "bench v3") printf '%s\n' '// oneDNN 2; x86-64-v3; here' '{"oneDNN", 3, new},' ;;
esac
WORDS
chmod +x build/release/vitrine
./dev products 2>/dev/null
diff - core/tensor/product_table.inc <<'WORDS'
// oneDNN 2; x86-64-v4; there
{"oneDNN", 4, old},
// Eigen 3; x86-64-v3; there
{"Eigen", 3, old},
// oneDNN 2; x86-64-v3; here
{"oneDNN", 3, new},
WORDS
rm -rf core build/release/vitrine "$CALLS"

# A package carries the time that it is made for, whatever was made before.
for time in 1000000000 1700000000 1700000000; do
    SOURCE_DATE_EPOCH=$time ./dev package 2>/dev/null
    expect '^cmake --preset' "cmake --preset package -B build/package -DVITRINE_TESTS=OFF -DVITRINE_MATMUL=onednn"
    date=$(LC_ALL=C date -u -d "@$time" '+%d %b %Y')
    tar -xOf build/packages/vitrine.deb ./usr/share/doc/vitrine/changelog.gz | gzip -dc | grep -qF "$date"
done
export SOURCE_DATE_EPOCH=1700000000
another="the package carries another date or version than the sources; remove build/package and run this again"
STUCK="Sun, 09 Sep 2001 01:46:40 +0000" fails_with "$another" package
sed -i 's/^project(vitrine VERSION [0-9.]*/project(vitrine VERSION 99.0/' CMakeLists.txt
fails_with "$another" package
echo "dev_try: all is well"
