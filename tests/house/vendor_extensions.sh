#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What only GCC and Clang understand stands behind pica/base/lanes.h: vector types, builtins, attributes in their own
# form, typeof and 128-bit integers (-Wgnu finds the rest: tests/systems/clang). Attributes in the form of C++ are in order,
# for other compilers pass over them.
# Intrinsics take the compiler's vectors, so the functions that ask for a processor's sets of instructions
# (__builtin_cpu_supports) are listed with their number of lines.
set -euo pipefail
export LC_ALL=C
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

find pica shaders shadergen renderer samples tests -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.inc' | sort | xargs awk '
BEGIN {
    asks["pica/soft/raster.cpp"] = 3
    asks["pica/shader/batch_interpreter.cpp"] = 1
    asks["pica/transfer/rgb8_rows.cpp"] = 1
    asks["pica/vertex/vertex_outputs.cpp"] = 1
}
FNR == 1 { files++ }
# What a shared library shows has no form that both C and C++ take.
FILENAME == "pica/base/lanes.h" || (FILENAME == "renderer/picavk.h" && /define PICAVK_API/) { next }
{ sub(/\/\/.*/, ""); line = $0 }
/__builtin_cpu_supports/ {
    asked[FILENAME]++
    gsub(/__builtin_cpu_supports/, "", line)
}
line ~ /__builtin_|__attribute|(^|[^a-z_])vector_size|__vector_size|__extension__|__int128|(^|[^a-z])typeof/ {
    printf "%s:%d: an extension of GCC or Clang outside of pica/base/lanes.h: %s\n", FILENAME, FNR, $0
    failures++
}
END {
    if (files < 300) { print "too few files: nothing was checked"; exit 1 }
    for (file in asked)
        if (asked[file] > asks[file]) {
            printf "%s asks for the processor in %d lines, %d are listed\n", file, asked[file], asks[file]
            failures++
        }
    exit failures != 0
}'
