#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The build without the Vulkan backend (PICAVK_VULKAN=OFF) needs nothing of Vulkan: no package is looked for, no compiled
# file includes a header of them, no program is linked with them. Its tests pass, its examples draw the picture of the
# whole build, and a project outside of the tree links what it installs.
#   no_vulkan.sh SOURCE BUILD     BUILD: a finished build of SOURCE, with Vulkan
set -euo pipefail
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
launcher=()
command -v ccache >/dev/null &&
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
export CCACHE_BASEDIR=$source

quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; echo "failed: $*"; exit 1; }; }
fail() { echo "$1"; exit 1; }
hidden=()
for package in glslang SPIRV-Tools SPIRV-Tools-opt VulkanHeaders Vulkan volk glfw3 CLI11 nlohmann_json; do
    hidden+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done

# Beside the build, so that a compiler cache finds what that one compiled.
alone=$(dirname "$build")/software_only
quietly cmake -S "$source" -B "$alone" -G Ninja -DCMAKE_BUILD_TYPE=Release "${launcher[@]}" "${hidden[@]}" \
    -DPICAVK_VULKAN=OFF
quietly cmake --build "$alone" --target picavk_static picavk_shared picavk_embed_minimal picavk_embed_minimal_c \
    picavk_embed_adapter picavk_no_vulkan_tests

# Compiled files, headers, libraries: nothing of the packages, and nothing of the folders that use them.
packages='/(vulkan|vk_video|glslang|SPIRV|spirv_cross|spirv-tools)/|volk\.(h|c)|(-l|lib)(vulkan|glslang|SPIRV|spirv-cross)'
folders='renderer/(vulkan|self_test|residency|vertex|draw)/|shadergen/|renderer/backend/[a-z_]*\.cpp'
ninja -C "$alone" -t deps >"$folder/deps"
ninja -C "$alone" -t commands picavk_shared picavk_no_vulkan_tests >"$folder/commands"
[ "$(grep -c '#deps' "$folder/deps")" -gt 50 ] && grep -q 'libpicavk\.so' "$folder/commands" || fail "nothing was checked"
if grep -E "$packages|$folders" "$folder/deps" "$folder/commands"; then fail "something of Vulkan is used"; fi
if readelf -d "$alone/renderer/package/libpicavk.so" | grep -iE 'NEEDED.*(vulkan|glslang|spirv)'; then
    fail "libpicavk.so needs a library of Vulkan"
fi

# An emulator on a phone ships it. (The parts: tests/systems/sizes.)
strip --strip-unneeded -o "$folder/stripped.so" "$alone/renderer/package/libpicavk.so"
[ "$(stat -c %s "$folder/stripped.so")" -lt 1500000 ] || fail "libpicavk.so, stripped, has $(stat -c %s "$folder/stripped.so") bytes"

(cd "$alone" && quietly ctest -R '^no_vulkan\.' --no-tests=error)

# $1: an example. $2: the one of the other build that draws the same picture
check_program()
{
    quietly "$2" software "$folder/expected.ppm"
    quietly "$1" software "$folder/picture.ppm"
    cmp "$folder/expected.ppm" "$folder/picture.ppm"
    if "$1" vulkan "$folder/picture.ppm" >"$folder/log" 2>&1; then fail "$1 draws with Vulkan"; fi
    grep -q 'PICAVK_VULKAN=ON' "$folder/log" || fail "$1 does not say why there is no Vulkan"
}
for example in embed_minimal embed_minimal_c embed_adapter; do check_program "$alone/$example" "$build/$example"; done

quietly cmake --install "$alone" --component picavk --prefix "$folder/prefix"
quietly cmake -S "$source/tests/api/consumer" -B "$folder/consumer" -G Ninja -DCMAKE_BUILD_TYPE=Release "${hidden[@]}" \
    -DCMAKE_PREFIX_PATH="$folder/prefix" -DSAMPLES="$source/samples"
quietly cmake --build "$folder/consumer"
check_program "$folder/consumer/consumer_c" "$build/embed_minimal_c"
check_program "$folder/consumer/consumer_cpp" "$build/embed_minimal"
PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name picavk.pc)")
export PKG_CONFIG_PATH
if pkg-config --static --libs picavk | grep -iE 'vulkan|glslang|spirv'; then fail "picavk.pc names a library of Vulkan"; fi
