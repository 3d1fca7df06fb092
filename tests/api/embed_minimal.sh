#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs an example of samples/embed (its path is the argument) on each backend: the pictures are equal and show the
# triangle.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for backend in software vulkan validate; do
    "$1" "$backend" "$folder/$backend.ppm" 2>"$folder/errors"
    # The drivers of a machine may have something to say; the guest must not.
    if grep -v '^WARNING' "$folder/errors"; then
        echo "$backend: reports where none is due"
        exit 1
    fi
    cmp "$folder/software.ppm" "$folder/$backend.ppm"
done
# Pixel (x, y): its three bytes behind the header of 15.
pixel() { od -An -tu1 -j $((15 + ($2 * 400 + $1) * 3)) -N 3 "$folder/software.ppm" | tr -s ' '; }
[ "$(pixel 2 2)" = " 64 64 64" ]
[ "$(pixel 2 237)" = " 64 64 64" ]
read -r r g b <<<"$(pixel 200 120)" # the middle of the triangle: something of every corner
[ "$r" -gt 20 ] && [ "$g" -gt 20 ] && [ "$b" -gt 20 ]
