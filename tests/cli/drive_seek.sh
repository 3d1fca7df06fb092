#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Seeks in a real window with real key presses and clicks. Run inside Xvfb (-fbdir FOLDER).
#   drive_seek.sh PICAVK STREAM.ctf BACKEND FOLDER
# The stream must have at least 3 frames, each with 22 draws.
# Leaves in FOLDER: position (window position), NAME.xwd for each place below, titles, screenshots.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
picavk=$1 stream=$2 backend=$3 folder=$4
cd "$folder"
"$picavk" play "$stream" --paused --magnify 1 --backend "$backend" >screenshots &
player=$!
trap 'kill $player 2>/dev/null || true' EXIT

source "$here/wait_title.sh"
wait_title 'frame 0,'
eval "$(xdotool getwindowgeometry --shell "$window")"
echo "$X $Y" >position
xdotool mousemove $((X + 20)) $((Y + 20))

# go KEY TITLE NAME: presses, waits, and keeps what is shown.
go()
{
    xdotool key "$1"
    wait_title "$2"
    cp Xvfb_screen0 "$3.xwd"
}
go End 'frame 2,' last
go Left 'frame 1,' back1
go d 'frame 2 draw 0,' on1
go d 'frame 2 draw 1,' on2
go d 'frame 2 draw 2,' on3
xdotool key s
go d 'frame 2 draw 3,' on4
go a 'frame 2 draw 2,' off3
xdotool key s
go a 'frame 2 draw 1,' off2
go a 'frame 2 draw 0,' off1
go a 'frame 1,' off0
# Into the frame before, from its end.
go a 'frame 1 draw 21,' inside1
go Right 'frame 1,' whole1
go Right 'frame 2,' whole2
go Home 'frame 0,' first
xdotool key 1
wait_title 'frame 0,.*go to 1'
go Return 'frame 1,' typed
xdotool key 9 9
wait_title 'go to 99'
go Return 'frame 2,' beyond
go Prior 'frame 0,' page_up
go Next 'frame 2,' page_down
xdotool key h
sleep 1
cp Xvfb_screen0 overlay.xwd
# The middle of the timeline is the middle frame of three.
xdotool mousemove $((X + 200)) $((Y + 480 - 7)) click 1
wait_title 'frame 1,'
cp Xvfb_screen0 clicked.xwd
xdotool key h
sleep 1
cp Xvfb_screen0 closed.xwd
xdotool key s
for _ in $(seq 100); do [ "$(wc -l <screenshots)" = 3 ] && break || sleep 0.1; done
xdotool key q
wait $player
trap - EXIT
