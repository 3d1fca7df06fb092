#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command on a virtual X server of its own.
#   with_display.sh "XVFB ARGUMENTS" COMMAND [ARGUMENT...]
# xvfb-run picks a number by looking for lock files and doesn't wait for its server's end, so that two runs in a row
# can get each other's socket. Here the server itself takes a free number (-displayfd) and says when it is ready; and it
# does not start again when its last client has gone (-noreset), since nobody can connect while it does.
set -euo pipefail
read -ra arguments <<<"$1"
shift
exec {ready}<> <(:)
Xvfb -displayfd "$ready" -nolisten tcp -noreset "${arguments[@]}" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true' EXIT
if ! read -r -t 60 -u "$ready" number; then
    echo "with_display: Xvfb did not start" >&2
    exit 1
fi
exec {ready}>&-
status=0
DISPLAY=:$number "$@" || status=$?
exit $status
