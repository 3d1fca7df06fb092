#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every #include of every folder against the dependency table of the house:
#   pica      -> the standard library, shaders/include, zstd
#   shaders   -> nothing
#   shadergen -> pica, shaders, glslang, SPIRV-Cross, SPIRV-Tools
#   renderer  -> pica, shadergen, shaders, Vulkan headers, volk
#   samples   -> the above, the public headers, GLFW, Dear ImGui, CLI11, nlohmann-json, libpng, xxhash; stddef.h and stdint.h for the console
#   tests     -> everything
# and, inside pica, the order base < regs < memory, shader, texture < state < transfer, vertex < command, upscale < soft, trace < inspect
# (modules that stand beside each other do not include each other), and inside renderer the order
# vulkan < cache < self_test, pipelines < residency < vertex < draw < backend < embed; its public headers are above all.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

find pica shaders shadergen renderer samples tests -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.def' |
    sort | xargs awk '
function bad(why) { printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0; failures++ }
function folder_of(path,  part) { split(path, part, "/"); return part[1] }
function module_of(path,  part) { split(path, part, "/"); return part[2] }
function is_third_party(name, pattern) { return name ~ ("^(" pattern ")") }
BEGIN {
    level["base"] = 0; level["regs"] = 1
    level["memory"] = level["shader"] = level["texture"] = 2
    level["state"] = 3
    level["transfer"] = level["vertex"] = 4; level["command"] = level["upscale"] = 5
    level["soft"] = level["trace"] = 6; level["inspect"] = 7
    room["vulkan"] = 0; room["cache"] = 1; room["self_test"] = room["pipelines"] = 2; room["residency"] = 3
    room["vertex"] = 4; room["draw"] = 5; room["backend"] = 6; room["embed"] = 7
    project = "^(pica|shaders|shadergen|renderer|samples|tests)/"
    allowed["pica"] = "^(pica/|shaders/include/)"
    allowed["shaders"] = "^shaders/"
    allowed["shadergen"] = "^(pica|shadergen|shaders)/"
    allowed["renderer"] = "^(pica|shadergen|shaders|renderer)/"
    allowed["samples"] = "^(pica|shadergen|shaders|renderer|samples)/"
    allowed["tests"] = project
    packages["pica"] = "immintrin\\.h$|zstd\\.h$"
    packages["shaders"] = "immintrin\\.h$"
    packages["shadergen"] = "glslang/|SPIRV/|spirv_cross|spirv\\.hpp$|GLSL\\.std\\.450\\.h$|spirv-tools/"
    packages["renderer"] = "stddef\\.h$|stdint\\.h$|vulkan/|volk\\.h$|sys/resource\\.h$|sys/syscall\\.h$|unistd\\.h$|link\\.h$"
    packages["samples"] = "stddef\\.h$|stdint\\.h$|picavk/|GLFW/|imgui/|CLI/|nlohmann/|png\\.h$|xxhash\\.h$|vulkan/|spirv-tools/|unistd\\.h$|fcntl\\.h$|malloc\\.h$|poll\\.h$|signal\\.h$|sys/mman\\.h$|sys/stat\\.h$|windows\\.h$|io\\.h$|sys/wait\\.h$"
}
/^[ \t]*#[ \t]*include/ {
    seen++
    if (match($0, /"[^"]*"|<[^>]*>/) == 0) { bad("computed include"); next }
    quoted = substr($0, RSTART, 1) == "\""
    name = substr($0, RSTART + 1, RLENGTH - 2)
    from = folder_of(FILENAME)
    if (quoted) {
        # The public headers are installed beside each other.
        if (FILENAME ~ /^renderer\/picavk(\.hpp|_vulkan\.h|_cache\.h|_scale\.h)$/ && name ~ /^picavk(_cache|_scale)?\.h$/) next
        if (name !~ project) { bad("not written from the root"); next }
        if (name !~ allowed[from]) { bad(from " may not include this"); next }
        if (from == "pica" && folder_of(name) == "pica") {
            mine = module_of(FILENAME); theirs = module_of(name)
            if (!(mine in level)) bad("unknown module " mine)
            else if (!(theirs in level)) bad("unknown module " theirs)
            else if (mine != theirs && level[theirs] >= level[mine]) bad("pica/" mine " is not above pica/" theirs)
        }
        if (from == "renderer" && folder_of(name) == "renderer" && FILENAME !~ /^renderer\/picavk/) {
            mine = module_of(FILENAME); theirs = module_of(name)
            if (!(mine in room)) bad("unknown folder " mine)
            else if (theirs ~ /^picavk/) { if (mine != "embed") bad("only renderer/embed knows the public headers") }
            else if (!(theirs in room)) bad("unknown folder " theirs)
            else if (mine != theirs && room[theirs] >= room[mine]) bad("renderer/" mine " is not above renderer/" theirs)
        }
        next
    }
    standard = name ~ /^[a-z0-9_]+$/
    if (!standard && from != "tests" && !is_third_party(name, packages[from])) bad(from " may not use this package")
}
END {
    if (seen == 0) { print "no #include found: nothing was checked"; exit 1 }
    exit failures != 0
}'
