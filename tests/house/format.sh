#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every C++ file is as clang-format 14 leaves it (other versions disagree in places).
# Exit 77 (skipped) where that version is not installed.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
for tool in clang-format-14 clang-format none; do
    [ "$tool" != none ] || {
        echo "clang-format 14 is not installed"
        exit 77
    }
    "$tool" --version 2>/dev/null | grep -q 'version 14\.' && break
done
changed=$(find pica shaders shadergen renderer samples tests -name '*.cpp' -o -name '*.h' -o -name '*.hpp' | sort |
    xargs "$tool" --dry-run 2>&1 | awk -F: '/\[-Wclang-format-violations\]/ { count[$1]++ }
        END { for (file in count) print file ": " count[file] " places" }')
[ -z "$changed" ] || {
    echo "clang-format would change:"
    echo "$changed"
    exit 1
}
