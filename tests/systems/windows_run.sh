#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run by tests/systems/windows in its chroot, in the checkout: what build/windows has, under wine. Pictures go to out/. The
# exit code is the number of steps that failed.
#   windows_run.sh STREAM...
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
streams=("$@")
export WINEDEBUG=-all WINEPREFIX=/wine VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json
wine64=$(command -v wine64 || echo /usr/lib/wine/wine64)
program="$wine64 build/windows/picavk.exe"
failures=0
mkdir -p out
rm -rf /wine/cache
export XDG_CACHE_HOME='Z:\wine\cache'

fail()
{
    echo "windows: $1"
    failures=$((failures + 1))
}

# Wine's Vulkan driver is a part of its driver for X.
exec 3< <(Xvfb -displayfd 1 -screen 0 1600x1200x24 -nolisten tcp 2>/dev/null)
server=$!
read -r display <&3
export DISPLAY=:$display
trap 'kill $server' EXIT

# Wine's Vulkan driver shows no layers to programs. The loader beneath it has the validation layers all the same, and what they
# complain about is printed.
export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
VK_LOADER_DEBUG=layer $program device 2>&1 | tr -d '\r' >out/layers.log
sed -n '/<Application>/,/<D/p' out/layers.log | grep -q VK_LAYER_KHRONOS_validation || fail "no validation layers"
no_complaint()
{
    ! grep -E 'VUID-|Validation (Error|Warning)' "$1" || fail "$1: the validation layers complain"
}

passed=()
for suite in pica shadergen renderer; do
    timeout 1200 $wine64 build/windows/tests/${suite}_tests.exe >"out/$suite.log" 2>&1 || {
        cat "out/$suite.log"
        fail "tests of $suite"
    }
    tail -3 "out/$suite.log"
    no_complaint "out/$suite.log"
    passed+=("$suite ($(sed -n 's/.*test cases: *[0-9]* | *\([0-9]*\) passed.*/\1/p' "out/$suite.log") cases)")
done
(IFS=, && echo "${passed[*]}" | sed 's/,/, /g') >out/suites

for backend in software vulkan; do
    for stream in "${streams[@]}"; do
        $program render "$stream" --backend $backend --out "out/$backend/$(basename "$stream" .ctf)" >/dev/null ||
            fail "$stream: render, $backend"
    done
done

$program validate --at frame "${streams[@]}" >out/validate.log || fail "validate"
cat out/validate.log
no_complaint out/validate.log
unset VK_INSTANCE_LAYERS
[ "$(grep -c ', 0 differing bytes' out/validate.log)" -eq ${#streams[@]} ] || fail "validate: streams are missing"

# An emulator that hears of the guest's accesses by page faults (VirtualProtect) sees what another one sees.
for way in announce fault; do
    $wine64 build/windows/embed_adapter.exe validate "out/$way.ppm" $way >/dev/null || fail "embed_adapter $way"
done
cmp out/announce.ppm out/fault.ppm || fail "embed_adapter: pages"
for backend in software vulkan; do
    $wine64 build/windows/dll_consumer.exe $backend out/dll_$backend.ppm >/dev/null || fail "a program with the DLL, $backend"
done

# The window shows the first frame, and its pixels are those of the picture file; `q` ends it. The screen around it is black,
# as is the lower screen of this stream. The path begins as an option of Windows does.
stream=$PWD/samples/streams/s_triangle.ctf
$program render "$stream" --backend software --out out/play >/dev/null || fail "render for play"
$program play "$stream" --backend vulkan --paused --magnify 1 >out/play.log 2>&1 &
player=$!
for ((i = 0; i < 60; i++)); do
    window=$(xdotool search --onlyvisible --name picavk 2>/dev/null | head -1)
    [ -z "$window" ] || break
    sleep 1
done
if [ -z "${window:-}" ]; then
    cat out/play.log
    fail "play: no window"
    kill $player
else
    sleep 5
    import -window root out/play.png
    convert out/play.png -trim +repage -alpha off out/play_trimmed.png
    convert out/play/frame0000_top.png -alpha off out/play_file.png
    [ "$(compare -metric AE out/play_trimmed.png out/play_file.png null: 2>&1)" = 0 ] || fail "play: the picture differs"
    xdotool key --window "$window" q
    for ((i = 0; i < 20; i++)); do
        kill -0 $player 2>/dev/null || break
        sleep 1
    done
    kill $player 2>/dev/null && fail "play: q does not end it"
    wait $player || fail "play: exit code $?"
fi
exit $failures
