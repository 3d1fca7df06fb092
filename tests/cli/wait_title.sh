# SPDX-License-Identifier: MIT
# Sourced by the scripts that drive the window: $player is the player's process, the folder is theirs.
window=
# Waits until the window's title matches a pattern, and until what goes with it is on the screen.
wait_title()
{
    local title=
    for _ in $(seq 600); do
        kill -0 $player 2>/dev/null || { echo "the player ended early" >&2; exit 1; }
        if [ -z "$window" ]; then
            window=$(xdotool search --name '^picavk' 2>/dev/null | head -1) || true
        fi
        if [ -n "$window" ]; then
            # The player opens a second window for OpenGL and closes the first: then the window is another one.
            title=$(xdotool getwindowname "$window" 2>/dev/null) || window=
            if [ -n "$window" ] && [[ $title =~ $1 ]]; then
                echo "$title" >>titles
                sleep 0.5
                return
            fi
        fi
        sleep 0.1
    done
    echo "no title like '$1'; the last one was '$title'" >&2
    exit 1
}
