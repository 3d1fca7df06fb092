#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs an example of samples/embed (its path is the first argument) at 2x on each backend: the pictures are equal, have
# twice the size, and more rows than a picture of 1x that was made larger. The further arguments are what the example gets
# before the scale.
set -euo pipefail
program=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for backend in software vulkan validate; do
    "$program" "$backend" "$folder/$backend.ppm" "$@" 2 2>"$folder/errors"
    # The drivers of a machine may have something to say; the guest must not.
    if grep -v '^WARNING' "$folder/errors"; then
        echo "$backend: reports where none is due"
        exit 1
    fi
    cmp "$folder/software.ppm" "$folder/$backend.ppm"
done
[ "$(head -c 15 "$folder/software.ppm" | tr '\n' ' ')" = "P6 800 480 255 " ]
[ "$(stat -c %s "$folder/software.ppm")" = $((15 + 800 * 480 * 3)) ]
# One line for each row that differs from the one above it.
rows=$(od -An -v -tx1 -w2400 -j 15 "$folder/software.ppm" | uniq | wc -l)
echo "different rows: $rows"
[ "$rows" -gt 240 ]
if "$program" software "$folder/refused.ppm" "$@" 9 2>"$folder/errors"; then
    echo "9 is not refused"
    exit 1
fi
grep -q scale "$folder/errors"
[ ! -e "$folder/refused.ppm" ]
