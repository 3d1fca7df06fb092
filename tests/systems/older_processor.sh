#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The software core draws the same pictures on a processor without AVX2 as on this one: Westmere (2010) has SSE 4.2, and
# qemu raises an illegal instruction for anything newer. qemu translates only the program; nothing is installed for it.
#   older_processor.sh PICAVK STREAM...
# Exit 77 (skipped) where qemu-user is not installed.
set -euo pipefail
program=$1
shift
command -v qemu-x86_64 >/dev/null || {
    echo "qemu-user is not installed"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
for stream in "$@"; do
    name=$(basename "$stream")
    "$program" render "$stream" --backend software --out "$folder/here/$name" >"$folder/log" 2>&1
    status=0
    qemu-x86_64 -cpu Westmere "$program" render "$stream" --backend software --out "$folder/older/$name" \
        >"$folder/log" 2>&1 || status=$?
    pictures=$(find "$folder/here/$name" -name '*.png' | wc -l)
    if [ $status -ne 0 ]; then
        echo "$name: exit code $status without AVX2"
        cat "$folder/log"
    elif [ "$pictures" -eq 0 ]; then
        echo "$name: no picture"
    elif diff -rq "$folder/here/$name" "$folder/older/$name"; then
        echo "$name: $pictures pictures, equal"
        continue
    fi
    failures=$((failures + 1))
done
echo "$# streams, $failures failed"
[ "$failures" -eq 0 ]
