#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs an example of samples/embed (its path is the first argument) on each backend, and for each of the further
# arguments, which the example gets as its third: the pictures are equal and show the triangle. With further arguments
# the example inverts a square of the picture by the CPU.
set -euo pipefail
program=$1
shift
inverts=$#
[ $# -gt 0 ] || set -- ""
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for model in "$@"; do
    for backend in software vulkan validate; do
        "$program" "$backend" "$folder/picture.ppm" ${model:+"$model"} 2>"$folder/errors"
        # The drivers of a machine may have something to say; the guest must not.
        if grep -v '^WARNING' "$folder/errors"; then
            echo "$backend $model: reports where none is due"
            exit 1
        fi
        [ -e "$folder/first.ppm" ] || cp "$folder/picture.ppm" "$folder/first.ppm"
        cmp "$folder/first.ppm" "$folder/picture.ppm"
    done
done
# Pixel (x, y): its three bytes behind the header of 15.
pixel() { od -An -tu1 -j $((15 + ($2 * 400 + $1) * 3)) -N 3 "$folder/first.ppm" | tr -s ' '; }
[ "$(pixel 2 2)" = " 64 64 64" ]
[ "$(pixel 2 237)" = " 64 64 64" ]
read -r r g b <<<"$(pixel 200 120)" # the middle of the triangle: something of every corner
[ "$r" -gt 20 ] && [ "$g" -gt 20 ] && [ "$b" -gt 20 ]
if [ "$inverts" -gt 0 ]; then
    read -r r g b <<<"$(pixel 308 120)" # the square, and the pixel beside it
    read -r r2 g2 b2 <<<"$(pixel 316 120)"
    echo "inverted: $r $g $b, beside it: $r2 $g2 $b2"
    [ $((r + r2)) -gt 225 ] && [ $((g + g2)) -gt 225 ] && [ $((b + b2)) -gt 225 ]
fi
