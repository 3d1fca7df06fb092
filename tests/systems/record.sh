#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sourced by the scripts of this folder: prints what one of them measured as a row of RESULTS.md, and with PICAVK_RECORD=1
# enters it there. Nobody writes that table by hand.

# $1: system, by which its row is found, $2: compiler, $3: Vulkan driver, $4: streams exact, $5: suites passed
picavk_record()
{
    local table=tests/systems/RESULTS.md row
    row="| $1 | $2 | $3 | $4 | $5 | $(date -u +%F) |"
    echo "$row"
    [ -n "${PICAVK_RECORD:-}" ] || return 0
    awk -v row="$row" -v key="| $1 |" '
        index($0, key) == 1 { print row; found = 1; next }
        { print }
        END { if (!found) print row }' "$table" >"$table.new"
    mv "$table.new" "$table"
}
