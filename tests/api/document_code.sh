#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The complete programs in README.md and the embedding guides compile as they stand there, without a warning, against
# the public headers and the shared library, and end with exit code 0. A complete program is a block of code that is
# marked c or cpp and has a main().
#   document_code.sh SOURCE BUILD     BUILD: a finished build of SOURCE
set -euo pipefail
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
package=$build/renderer/package
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for document in README.md renderer/EMBEDDING.md renderer/EMBEDDING_GSP.md renderer/EMBEDDING_VULKAN.md; do
    # Each block goes to a file of its own: NAME_LINE.c or NAME_LINE.cpp.
    awk -v stem="$folder/$(basename "$document" .md)" '
        /^```/ && out != "" { close(out); out = ""; next }
        /^```(c|cpp)$/ { out = stem "_" FNR "." substr($0, 4); next }
        out != "" { print > out }' "$source/$document"
done

of_readme=0 failures=0
for code in "$folder"/*.c "$folder"/*.cpp; do
    [ -e "$code" ] && grep -q 'int main(' "$code" || continue
    name=$(basename "$code")
    [[ $name != README_* ]] || of_readme=$((of_readme + 1))
    compiler=(cc -x c -std=c99)
    [ "${code##*.}" = c ] || compiler=(c++ -x c++ -std=c++17)
    if ! "${compiler[@]}" -Wall -Wextra -Werror -I "$package/include" "$code" -x none -o "$folder/program" \
        "$package/libpicavk.so" "-Wl,-rpath,$package" >"$folder/log" 2>&1; then
        echo "$name (document and line of the block) does not compile:"
        cat "$folder/log"
        failures=$((failures + 1))
    elif ! "$folder/program" >"$folder/log" 2>&1; then
        echo "$name (document and line of the block) compiles, but fails:"
        cat "$folder/log"
        failures=$((failures + 1))
    else
        echo "$name runs"
    fi
done
[ "$of_readme" -gt 0 ] || {
    echo "README.md has no complete program"
    exit 1
}
[ "$failures" -eq 0 ]
