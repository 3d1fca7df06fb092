#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program with everything in it: built with PICAVK_STATIC_SPIRV_CROSS, the static library is linked with -static, by
# CMake and by pkg-config. The program needs no shared library at all and draws the picture of the program of the build in
# software; it has no Vulkan and says so. The shared library of that build needs no SPIRV-Cross.
#   static_link.sh SOURCE BUILD     BUILD: a finished build of SOURCE
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
quietly "$build/embed_minimal" software "$folder/expected.ppm"
check_program()
{
    if readelf -d "$1" | grep NEEDED; then fail "$1 needs a shared library"; fi
    quietly "$1" software "$folder/picture.ppm"
    cmp "$folder/expected.ppm" "$folder/picture.ppm"
    # No driver can be loaded: an error, not a crash.
    local status=0
    "$1" vulkan "$folder/picture.ppm" >"$folder/log" 2>&1 || status=$?
    [ $status -lt 128 ] && grep -q 'no Vulkan loader' "$folder/log" || fail "$1 vulkan: exit code $status, $(cat "$folder/log")"
}

# Beside the build, so that a compiler cache finds what that one compiled.
alone=$(dirname "$build")/static_link
quietly cmake -S "$source" -B "$alone" -G Ninja -DCMAKE_BUILD_TYPE=Release "${launcher[@]}" \
    -DPICAVK_STATIC_SPIRV_CROSS=ON -DPICAVK_BUILD_TESTS=OFF -DPICAVK_BUILD_SAMPLES=OFF
quietly cmake --build "$alone"
if readelf -d "$alone/renderer/package/libpicavk.so" | grep -i 'NEEDED.*spirv'; then
    fail "libpicavk.so needs the shared library of SPIRV-Cross"
fi
quietly cmake --install "$alone" --component picavk --prefix "$folder/prefix"

echo "find_package"
echo 'set(CMAKE_FIND_LIBRARY_SUFFIXES .a)' >"$folder/static.cmake"
quietly cmake -S "$source/tests/api/consumer" -B "$folder/consumer" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$folder/prefix" -DSAMPLES="$source/samples" -DCMAKE_EXE_LINKER_FLAGS=-static \
    -DCMAKE_PROJECT_consumer_INCLUDE="$folder/static.cmake"
quietly cmake --build "$folder/consumer"
check_program "$folder/consumer/consumer_c"
check_program "$folder/consumer/consumer_cpp"

echo "pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name picavk.pc)")
export PKG_CONFIG_PATH
read -ra flags <<<"$(pkg-config --static --cflags --libs picavk)"
quietly c++ -static -std=c++17 "$source/samples/embed/embed_minimal.cpp" -o "$folder/cpp" "${flags[@]}"
check_program "$folder/cpp"
