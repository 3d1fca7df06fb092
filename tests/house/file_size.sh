#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No source file is longer than 500 lines: past that, two responsibilities have met. (Generated references may be.)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
find pica shaders shadergen renderer samples tests -type f \
    \( -name '*.cpp' -o -name '*.h' -o -name '*.comp' -o -name '*.frag' -o -name '*.vert' -o -name '*.glsl' \) |
    grep -v ^tests/golden/ | sort | xargs awk '
        END { exit failures != 0 }
        FNR == 501 { print FILENAME ": longer than 500 lines"; failures++ }'
