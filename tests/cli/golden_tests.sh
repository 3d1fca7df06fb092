#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the commands of samples/cli/GOLDEN_TESTS.md as they stand there: with equal pictures, and with one that differs.
#   golden_tests.sh PICAVK SOURCE
set -euo pipefail
picavk=$1 samples=$2/samples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir recordings
cp "$samples"/cli/GOLDEN_*.md page
cp "$samples"/streams/{s_triangle,t_lcd,t_stereo,t_fog}.ctf recordings
streams=$folder/recordings
# The first block makes what is expected, the others are tests.
awk '/^```bash/ { number++; inside = 1; next } /^```/ { inside = 0 } inside { print > ("block" number) }' \
    page
[ "$(ls block* | wc -l)" -eq 4 ] || { echo "the page has other blocks than before"; exit 1; }
run() { (set -euo pipefail; export picavk streams; bash -euo pipefail "$1") >log 2>&1; }
fail() { cat log; echo "$1"; exit 1; }
for block in block1 block2 block3 block4; do
    run $block || fail "$block fails although all is equal"
done
[ -s report.html ] || fail "no page"
# As the page's tests of ctest call it: a folder of one recording's pictures.
"$picavk" compare golden/t_fog recordings/t_fog.ctf --backend software >log 2>&1 || fail "one recording"
[ "$(wc -l <golden.txt)" -ge 20 ] || fail "too few hashes"
# One recording becomes another one.
cp recordings/t_lcd.ctf recordings/t_fog.ctf
rm report.html
for block in block2 block3; do
    code=0
    run $block || code=$?
    [ $code -eq 1 ] || fail "$block ends with $code although a recording differs"
    [ -s report.html ] || fail "$block: no page"
    rm report.html
    # Beside the pictures there is a digest.
    [ $block != block2 ] || grep -q "the results part first: " log || fail "$block: the first draw is not named"
done
