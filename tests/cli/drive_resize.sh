#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Changes the size of the window while it waits. Run inside Xvfb (-fbdir FOLDER).
#   drive_resize.sh PICAVK STREAM.ctf FOLDER
# Leaves in FOLDER: position (window position), large.xwd (900 x 1000), small.xwd (420 x 510), tiny.xwd (300 x 200).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
picavk=$1 stream=$2 folder=$3
cd "$folder"
"$picavk" play "$stream" --paused --magnify 1 --backend software &
player=$!
trap 'kill $player 2>/dev/null || true' EXIT

source "$here/wait_title.sh"
wait_title 'frame 0,'
eval "$(xdotool getwindowgeometry --shell "$window")"
echo "$X $Y" >position
xdotool mousemove $((X + 20)) $((Y + 20))
# resize WIDTH HEIGHT NAME: the title does not change, so the key f twice shows that the window has seen it.
resize()
{
    xdotool windowsize --sync "$window" "$1" "$2"
    xdotool key f
    wait_title 'software, sharp, paused'
    xdotool key f
    wait_title 'software, paused'
    cp Xvfb_screen0 "$3.xwd"
}
resize 900 1000 large
resize 420 510 small
resize 300 200 tiny
xdotool key q
wait $player
trap - EXIT
