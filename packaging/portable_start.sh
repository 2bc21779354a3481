#!/bin/sh
# Starts Vitrine with the libraries beside it. Of the C++ library the newer one is taken, the machine's or the one beside: the
# machine's OpenGL is loaded into the same program and may need what an older one lacks.
here=$(dirname "$(readlink -f "$0")")
own=$(readlink -f "$here/lib/compiler/libstdc++.so.6")
machine=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's/.*libstdc++\.so\.6 (libc6,x86-64.* => //p' | head -n 1)
machine=$(readlink -f "${machine:-/}")
newest=$(printf '%s\n' "${own##*/}" "${machine##*/}" | sort -V | tail -n 1)
if [ "$newest" != "${machine##*/}" ]; then
    export LD_LIBRARY_PATH="$here/lib/compiler${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
exec "$here/bin/vitrine" "$@"
