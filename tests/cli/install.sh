#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The install rules install the program, its manual page and its completion, and they work where they then are.
#   install.sh BUILD     BUILD: a finished build
set -euo pipefail
build=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --component picavk_program --prefix "$folder/usr" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
cd "$folder/usr"
[ "$(bin/picavk --version)" = "$("$build/picavk" --version)" ]
bin/picavk man | cmp - share/man/man1/picavk.1
bin/picavk completion zsh | cmp - share/zsh/site-functions/_picavk
# shellcheck source=/dev/null
source share/bash-completion/completions/picavk
COMP_WORDS=(picavk comp) COMP_CWORD=1
_picavk
[ "${COMPREPLY[*]}" = "compare completion" ]
