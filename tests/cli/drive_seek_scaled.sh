#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Seeks at twice the resolution. Run inside Xvfb (-fbdir FOLDER).
#   drive_seek_scaled.sh PICAVK STREAM.ctf FOLDER
# Leaves in FOLDER: position (window position), back.xwd (frame 1), draw2.xwd and again2.xwd (two draws of frame 2), draw3.xwd
# and draw4.xwd (the next ones), and other3.xwd and other4.xwd, between which and before which the backend was switched.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
picavk=$1 stream=$2 folder=$3
cd "$folder"
"$picavk" play "$stream" --paused --scale 2 --backend software &
player=$!
trap 'kill $player 2>/dev/null || true' EXIT

source "$here/wait_title.sh"
wait_title 'frame 0,'
eval "$(xdotool getwindowgeometry --shell "$window")"
echo "$X $Y" >position
xdotool mousemove $((X + 20)) $((Y + 20))
xdotool key End
wait_title 'frame 2,'
xdotool key Left
wait_title 'frame 1,'
cp Xvfb_screen0 back.xwd
xdotool key d
wait_title 'frame 2 draw 0,'
xdotool key d
wait_title 'frame 2 draw 1,'
cp Xvfb_screen0 draw2.xwd
xdotool key d
wait_title 'frame 2 draw 2,'
cp Xvfb_screen0 draw3.xwd
xdotool key d
wait_title 'frame 2 draw 3,'
cp Xvfb_screen0 draw4.xwd
xdotool key a
wait_title 'frame 2 draw 2,'
xdotool key a
wait_title 'frame 2 draw 1,'
cp Xvfb_screen0 again2.xwd
xdotool key b
wait_title 'frame 2 draw 1,.*vulkan'
xdotool key d
wait_title 'frame 2 draw 2,.*vulkan'
cp Xvfb_screen0 other3.xwd
xdotool key b
wait_title 'frame 2 draw 2,.*software'
xdotool key d
wait_title 'frame 2 draw 3,.*software'
cp Xvfb_screen0 other4.xwd
xdotool key q
wait $player
trap - EXIT
