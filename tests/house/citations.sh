#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What comments and documents cite must exist.
#   File: every name that ends in ".md". It counts from the root or from the folder of the citing file; the end of a path
#     is enough (a document of pica/hardware may be cited by its name alone).
#   Section: quoted text that follows the name at once, or after "row", "rows" or "section", and further ones behind
#     "and", "to" or a comma. It must be a heading of that file. The number of a heading may be left out, and a citation
#     may go on in the next line of a comment.
#   Link of a document to a file or folder: must be there.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

folders="pica shaders shadergen renderer samples tests"
documents=$(find $folders -name '*.md' | sort; ls -- *.md)
sources=$(find $folders -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.def' -o -name '*.inc' -o -name '*.sh' \
    -o -name '*.comp' -o -name '*.vert' -o -name '*.frag' -o -name '*.glsl' -o -name '*.cmake' -o -name '*.txt' |
    sort; ls -- *.txt)
{ find $folders; ls; } | awk '
function bad(line, why) { printf "%s:%d: %s\n", name, line, why; failures++ }
# "pica/trace", "../hardware" -> "pica/hardware"
function join_path(folder, path,  part, n, i, out, depth)
{
    n = split(folder == "" ? path : folder "/" path, part, "/")
    depth = 0
    for (i = 1; i <= n; i++) {
        if (part[i] == "" || part[i] == ".") continue
        if (part[i] == ".." && depth > 0) { depth--; continue }
        out[++depth] = part[i]
    }
    path = ""
    for (i = 1; i <= depth; i++) path = path (i > 1 ? "/" : "") out[i]
    return path
}
function folder_of(path) { return sub(/\/[^\/]*$/, "", path) ? path : "" }
function plain(title)
{
    gsub(/[`*]/, "", title); gsub(/[ \t]+/, " ", title)
    sub(/^ /, "", title); sub(/ $/, "", title); sub(/^[0-9]+(\.[0-9]+)*\.? /, "", title)
    return title
}
# The documents that a name may mean, in `found`; their number.
function find_documents(cited, found,  i, count, path)
{
    path = join_path(folder_of(name), cited)
    if (path in is_document) { found[1] = path; return 1 }
    path = join_path("", cited)
    if (path in is_document) { found[1] = path; return 1 }
    for (i = 1; i <= document_count; i++)
        if (substr(document[i], length(document[i]) - length(path)) == "/" path) found[++count] = document[i]
    return count + 0
}
function check_section(cited, section, count, found, line,  i)
{
    for (i = 1; i <= count; i++) if ((found[i], plain(section)) in heading) return
    bad(line, cited " has no section \"" plain(section) "\"")
}
function line_at(place,  i) { for (i = 1; i < lines && starts[i + 1] <= place; i++); return i }
# The citations of the file whose lines are joined in `text`.
function check_text(  rest, place, cited, before, count, found, line)
{
    rest = text; place = 1
    while (match(rest, /[A-Za-z0-9_.\/-]*[A-Za-z0-9_-]\.md/)) {
        cited = substr(rest, RSTART, RLENGTH)
        before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : ""
        line = line_at(place + RSTART - 1)
        place += RSTART + RLENGTH - 1
        rest = substr(rest, RSTART + RLENGTH)
        if (before ~ /[*:]/ || rest ~ /^[A-Za-z0-9_]/) continue
        seen++
        count = find_documents(cited, found)
        if (count == 0) { bad(line, cited " does not exist"); continue }
        if (match(rest, /^\]\([^) ]*\)/)) { place += RLENGTH; rest = substr(rest, RLENGTH + 1) }
        if (!match(rest, /^[`)]*[,;]? *((rows?|sections?) +)?"[^"]+"/)) continue
        do {
            section = substr(rest, 1, RLENGTH)
            sub(/^[^"]*"/, "", section); sub(/"$/, "", section)
            check_section(cited, section, count, found, line)
            place += RLENGTH; rest = substr(rest, RLENGTH + 1)
        } while (match(rest, /^(,|,? and|,? to) +"[^"]+"/))
    }
}
function check_links(line,  target, place)
{
    while (match(line, /\]\([^) #]+/)) {
        target = substr(line, RSTART + 2, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        if (target !~ /:\/\// && !(join_path(folder_of(name), target) in exists)) bad(FNR, target " does not exist")
    }
}
function finish() { if (pass == 2 && lines > 0) check_text(); text = ""; lines = 0; fenced = 0 }
FILENAME == "-" || FILENAME == "/dev/stdin" { sub(/^\.\//, ""); exists[$0] = 1; next }
FNR == 1 { finish(); name = FILENAME; sub(/^\.\//, "", name); pass = (name in is_document) || name !~ /\.md$/ ? 2 : 1 }
FNR == 1 && pass == 1 { is_document[name] = 1; document[++document_count] = name }
/^ *```/ { fenced = !fenced }
pass == 1 { if (!fenced && /^#+ /) { sub(/^#+ /, ""); heading[name, plain($0)] = 1 } next }
{
    if (name ~ /\.md$/ && !fenced) check_links($0)
    sub(/^[ \t]*(\/\/|#)?[ \t]*/, "")
    starts[++lines] = length(text) + 1
    text = text $0 " "
}
END {
    finish()
    if (seen == 0) { print "no citation found: nothing was checked"; exit 1 }
    exit failures != 0
}' - $documents $documents $sources
