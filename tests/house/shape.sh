#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shape of the product's code: no function is longer than 80 lines, the functions of a class are in one .cpp file,
# every .cpp file of the libraries has a header of its name beside it, no class has a friend but operators, and no
# constructor has more than 6 parameters. What does not keep to it yet is listed below, each with its name; an entry that
# is no longer needed is an error, so that the list can only get shorter.
set -euo pipefail
export LC_ALL=C
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
found=$(mktemp)
trap 'rm -f "$found" "$found.known"' EXIT

# A function begins with `{` and ends with `}` in the first column.
mapfile -t files < <(find pica shaders shadergen renderer samples -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.inc' | sort)
[ "${#files[@]}" -gt 100 ] || {
    echo "too few files: nothing was checked"
    exit 1
}
awk '
function bare(text) { sub(/\(.*/, "", text); sub(/.*[ *&]/, "", text); return text }
FNR == 1 { before = ""; start = 0 }
/^{/ && before !~ /^(inline )?(namespace|extern|struct|class|union|enum)/ { start = FNR; name = bare(before) }
/^}/ { if (start && FNR - start + 1 > 80) print "long " name; start = 0 }
/^[^ \t{}]/ { before = $0 }
/^[ \t]*friend / && !/operator/ { line = $0; sub(/^[ \t]*friend /, "", line); sub(/[(;].*/, "", line); print "friend " FILENAME " " line }
FILENAME ~ /\.cpp$/ && /^[^ \t\/#].*[A-Z][A-Za-z0-9]*::~?[A-Za-z_0-9]+\(/ {
    text = $0
    sub(/\(.*/, "", text); sub(/.*[ *&]/, "", text)
    parts = split(text, part, "::")
    if (parts > 1) {
        folder = FILENAME; sub(/\/[^\/]*$/, "", folder)
        kind = folder " " part[parts - 1]
        if (index(places[kind], FILENAME) == 0) { places[kind] = places[kind] " " FILENAME; count[kind]++ }
    }
}
END { for (kind in count) if (count[kind] > 1) { split(kind, word, " "); print "files " word[2] } }' "${files[@]}" |
    sort -u >"$found"

# A header of its own. Without one: the copies of a kernel for an instruction set, which share the kernel's header, and
# the C interface, whose headers are the public ones and picavk_context.h.
find pica shadergen renderer -name '*.cpp' ! -name '*_avx2.cpp' ! -name '*_avx512.cpp' ! -name '*_baseline.cpp' \
    ! -path 'renderer/embed/picavk_*.cpp' ! -path 'renderer/package/*' ! -path 'renderer/pipelines/bake/*' | while read -r file; do
    [ -e "${file%.cpp}.h" ] || echo "header $file"
done >>"$found"

# A constructor is declared inside of its class, by the name of the class and `(`. Declarations may span lines, and
# templates have commas of their own, so this reads words and not lines.
awk '
# The line without comments, strings and characters. raw: the end of the raw string that is open.
function code(line,  out, found) {
    out = ""
    while (line != "") {
        if (raw != "" || in_comment) {
            found = raw != "" ? raw : "*/"
            if (!index(line, found)) break
            line = substr(line, index(line, found) + length(found))
            raw = ""
            in_comment = 0
            continue
        }
        if (!match(line, /R"[^(]*\(|"([^"\\]|\\.)*"|'"'"'([^'"'"'\\]|\\.)[^'"'"']*'"'"'|\/\/|\/\*/)) return out line
        found = substr(line, RSTART, RLENGTH)
        out = out substr(line, 1, RSTART - 1) " "
        line = substr(line, RSTART + RLENGTH)
        if (found == "//") break
        if (found == "/*") in_comment = 1
        if (found ~ /^R/) raw = ")" substr(found, 3, length(found) - 3) "\""
    }
    return out
}
# class[depth]: the name of the class whose braces are open, empty for other braces. head: 1 between `class` and its
# name, 2 after that, 3 inside of the parentheses of `alignas`.
function take(word) {
    if (brackets) {
        if (word ~ /^[({[<]$/) brackets++
        else if (word ~ /^[)}\]>]$/) brackets--
        else if (word == "," && brackets == 1) parameters++
        if (!brackets && parameters > 6) print "parameters " class[depth]
    }
    else if (word == "(" && depth && last == class[depth] && before !~ /^([=~,(<&|?+-]|::|return|new)$/)
        brackets = parameters = 1
    else if (word ~ /^(class|struct|union)$/ && last != "enum") { head = 1; name = "" }
    else if (word == "{") { class[++depth] = head ? name : ""; head = 0 }
    else if (word == "}") depth--
    else if (word == ";") head = 0
    else if (head == 1) {
        if (word == "(" && last == "alignas") head = 3
        else if (word ~ /^(:|<|final)$/) head = 2
        else if (word ~ /^[(,>=&*)]$/) head = 0
        else if (word ~ /^[A-Za-z_]/ && word != "alignas") name = word
    }
    else if (head == 3 && word == ")") head = 1
    before = last
    last = word
}
function end_file() {
    if (depth || brackets || in_comment || raw != "") print "braces that do not match in " file
    depth = brackets = head = in_comment = 0
    before = last = raw = ""
    file = FILENAME
}
FNR == 1 { end_file() }
raw == "" && (continued || /^[ \t]*#/) { continued = /\\$/; next }
{
    text = code($0)
    while (match(text, /[A-Za-z_][A-Za-z_0-9]*|::|<<|<=|->|[0-9][A-Za-z_0-9.]*|[^ \t]/)) {
        word = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        take(word)
    }
}
END { end_file() }' "${files[@]}" | sort -u >>"$found"
sort -o "$found" "$found"

sort -u >"$found.known" <<'END'
END
failures=0
while read -r line; do
    echo "not allowed: $line"
    failures=1
done < <(comm -23 "$found" "$found.known")
while read -r line; do
    echo "no longer needed in the list of $0: $line"
    failures=1
done < <(comm -13 "$found" "$found.known")
exit "$failures"
