#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shows frames of a stream with samples/embed/embed_vulkan. Run inside Xvfb (-fbdir FOLDER).
#   drive_embed_vulkan.sh EMBED_VULKAN STREAM.ctf FRAMES FOLDER [SCALE]
# Leaves in FOLDER: position (window position), shown.xwd.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$4"
mkfifo input
"$1" "$2" "$3" ${5:+"$5"} <input &
player=$!
trap 'kill $player 2>/dev/null || true' EXIT
exec {input}>input

source "$here/wait_title.sh"
wait_title "frame $3"
eval "$(xdotool getwindowgeometry --shell "$window")"
echo "$X $Y" >position
cp Xvfb_screen0 shown.xwd
exec {input}>&-
wait $player # its exit code is this one's
trap - EXIT
