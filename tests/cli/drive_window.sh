#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Plays two streams in a real window and drives it with real key presses. Run inside Xvfb (-fbdir FOLDER), which
# keeps the screen's pixels in FOLDER/Xvfb_screen0 as an XWD file.
#   drive_window.sh PICAVK FIRST.ctf SECOND.ctf FOLDER
# Leaves in FOLDER: position (window position), frame1.xwd, switched.xwd, stepped.xwd, s.png, titles.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
picavk=$1 first=$2 second=$3 folder=$4
cd "$folder"
"$picavk" play "$first" "$second" --paused --magnify 1 --backend vulkan --screenshot s.png &
player=$!
trap 'kill $player 2>/dev/null || true' EXIT

source "$here/wait_title.sh"
wait_title 'frame 0'
eval "$(xdotool getwindowgeometry --shell "$window")"
echo "$X $Y" >position
xdotool mousemove $((X + 20)) $((Y + 20))

xdotool key Right
wait_title 'frame 1.*vulkan'
cp Xvfb_screen0 frame1.xwd
# The other backend draws the stream's frames anew.
xdotool key b
wait_title 'frame 1.*software'
for frame in 2 0 1; do
    xdotool key Right
    wait_title "frame $frame.*software"
done
cp Xvfb_screen0 switched.xwd
xdotool key s
for _ in $(seq 100); do [ -s s.png ] && break || sleep 0.1; done
xdotool key d
wait_title 'draw 0'
cp Xvfb_screen0 stepped.xwd
xdotool key n
wait_title "$(basename "$second" .ctf).*frame 0"
xdotool key space
wait_title 'frame 2'
xdotool key q
wait $player
trap - EXIT
