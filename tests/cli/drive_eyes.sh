#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shows frame 1 of a stereo stream in a real window and asks for each eye with real key presses. Run inside Xvfb
# (-fbdir FOLDER).
#   drive_eyes.sh PICAVK STREAM.ctf FOLDER
# Leaves in FOLDER: position (window position), left.xwd, right.xwd, anaglyph.xwd, again.xwd, titles.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
picavk=$1 stream=$2 folder=$3
cd "$folder"
"$picavk" play "$stream" --paused --magnify 1 --backend software &
player=$!
trap 'kill $player 2>/dev/null || true' EXIT

source "$here/wait_title.sh"
wait_title 'frame 0'
eval "$(xdotool getwindowgeometry --shell "$window")"
echo "$X $Y" >position
xdotool mousemove $((X + 20)) $((Y + 20))

xdotool key Right
wait_title 'frame 1'
cp Xvfb_screen0 left.xwd
xdotool key e
wait_title 'right eye'
cp Xvfb_screen0 right.xwd
xdotool key e
wait_title 'red-cyan'
cp Xvfb_screen0 anaglyph.xwd
xdotool key e
wait_title 'software, paused'
cp Xvfb_screen0 again.xwd
xdotool key q
wait $player
trap - EXIT
