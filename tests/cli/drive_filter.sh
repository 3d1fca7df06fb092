#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shows frame 0 of a stream at twice the resolution in a window that is three times as large as at 1x, with both
# filters. Run inside Xvfb (-fbdir FOLDER).
#   drive_filter.sh PICAVK STREAM.ctf FOLDER
# Leaves in FOLDER: position (window position), sharp.xwd, integer.xwd, s.png, titles.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
picavk=$1 stream=$2 folder=$3
cd "$folder"
"$picavk" play "$stream" --paused --backend software --scale 2 --magnify 3 --filter sharp --screenshot s.png &
player=$!
trap 'kill $player 2>/dev/null || true' EXIT

source "$here/wait_title.sh"
wait_title 'software, sharp, paused'
eval "$(xdotool getwindowgeometry --shell "$window")"
echo "$X $Y" >position
xdotool mousemove $((X + 20)) $((Y + 20))
cp Xvfb_screen0 sharp.xwd
xdotool key s
for _ in $(seq 100); do [ -s s.png ] && break || sleep 0.1; done
xdotool key f
wait_title 'software, paused'
cp Xvfb_screen0 integer.xwd
xdotool key q
wait $player
trap - EXIT
