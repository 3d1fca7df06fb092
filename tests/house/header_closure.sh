#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How many headers of the project a header includes, directly and through others: the limit of each folder is about what
# its largest header has. A header that would exceed it needs a forward declaration, or a smaller header to include.
set -euo pipefail
export LC_ALL=C
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

find pica shaders shadergen renderer samples -name '*.h' -o -name '*.hpp' | sort | xargs awk '
BEGIN {
    limit["pica"] = 43
    limit["shadergen"] = 22
    limit["renderer"] = 39
    limit["samples"] = 26
}
FNR == 1 { name[++headers] = FILENAME; known[FILENAME] = 1 }
/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); included[FILENAME] = included[FILENAME] " " part[2] }
END {
    if (headers < 100) { print "too few headers: nothing was checked"; exit 1 }
    for (i = 1; i <= headers; i++) {
        split("", seen)
        seen[name[i]] = 1
        todo[1] = name[i]
        size = 0
        for (left = 1; left > 0;) {
            count = split(included[todo[left--]], next_ones, " ")
            for (n = 1; n <= count; n++)
                if ((next_ones[n] in known) && !(next_ones[n] in seen)) {
                    seen[next_ones[n]] = 1
                    todo[++left] = next_ones[n]
                    size++
                }
        }
        split(name[i], part, "/")
        if ((part[1] in limit) && size > limit[part[1]]) {
            printf "%s includes %d headers of the project; %s/ may have %d\n", name[i], size, part[1], limit[part[1]]
            failures++
        }
    }
    exit failures != 0
}'
