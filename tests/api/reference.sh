#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The generated reference is made without a warning and has every function of the C header.
#   reference.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cat "$build/renderer/package/Doxyfile" && echo "OUTPUT_DIRECTORY = $folder") >"$folder/Doxyfile"
if ! doxygen "$folder/Doxyfile" >"$folder/log" 2>&1 || [ -s "$folder/log" ]; then
    cat "$folder/log"
    exit 1
fi
[ -s "$folder/html/index.html" ]
grep -oE '\bpicavk_[a-z_]+\(' "$source/renderer/picavk.h" | tr -d '(' | sort -u >"$folder/declared"
[ -s "$folder/html/picavk_8h.html" ] && grep -q "without waiting" "$folder/html/picavk_8h.html"
grep -oE '<name>picavk_[a-z_]+</name>' "$folder"/xml/picavk_8h.xml | sed -E 's,</?name>,,g' | sort -u >"$folder/made"
[ "$(wc -l <"$folder/declared")" -gt 15 ]
diff "$folder/declared" "$folder/made"
