#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shape of the product's code: no function is longer than 80 lines, the functions of a class are in one .cpp file,
# and no class has a friend but operators. What does not keep to it yet is listed below, each with its name; an entry
# that is no longer needed is an error, so that the list can only get shorter.
set -euo pipefail
export LC_ALL=C
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
found=$(mktemp)
trap 'rm -f "$found" "$found.known"' EXIT

# A function begins with `{` and ends with `}` in the first column.
mapfile -t files < <(find pica shaders shadergen renderer samples -name '*.cpp' -o -name '*.h' -o -name '*.hpp' | sort)
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

sort -u >"$found.known" <<'END'
files CommandProcessor
files Context
files Device
files GeometryStage
files GuestMirror
files RenderTargets
files TextureCache
files Trace
files VertexExecutor
files VertexStage
friend pica/state/state_builder.h DecodedDraw decode_draw
friend renderer/vulkan/device.h class QueueLock
friend renderer/vulkan/device_features.h struct EnabledFeatures
friend renderer/vulkan/memory.h class Allocation
long Batch::record_item
long CommandProcessor::write
long DeviceSupport::query
long PipelineCache::create_layouts
long SelfTestBench::graphics
long SelfTestPasses::fixed_blend
long VertexExecutor::record
long VertexStage::emit
long execute_instruction
long extended_name
long flow_step
long make_pixel_plan
long measure
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
