#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Projects outside the tree use picavk in every way that BUILDING.md names, and each draws the picture that the
# program of the build itself draws.
#   consumer.sh SOURCE BUILD     BUILD: a finished build of SOURCE
set -euo pipefail
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
launcher=()
command -v ccache >/dev/null &&
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; echo "failed: $*"; exit 1; }; }
fail() { echo "$1"; exit 1; }
quietly "$build/embed_minimal" software "$folder/expected.ppm"
# $1: the program, $2: static or shared, what it has to be linked with
check_program()
{
    local linked=static
    if readelf -d "$1" | grep -q 'NEEDED.*libpicavk\.so'; then linked=shared; fi
    [ $linked = "$2" ] || fail "$1 is linked with the $linked library instead of the $2 one"
    for backend in software vulkan; do
        quietly env LD_LIBRARY_PATH="$library" "$1" $backend "$folder/$backend.ppm"
        cmp "$folder/expected.ppm" "$folder/$backend.ppm"
    done
}

quietly cmake --install "$build" --component picavk --prefix "$folder/prefix"
library=$(dirname "$(find "$folder/prefix" -name libpicavk.so)") # lib, or what this system calls it

# What leaves the shared library is the C interface.
if nm -D --defined-only "$library/libpicavk.so" | awk '$3 !~ /^picavk_/' | grep .; then
    fail "libpicavk.so exports more than the C interface"
fi
# The optimiser of SPIRV-Tools, which picavk does not call, is not in it (renderer/package/without_optimiser.cpp). The static
# one does not define what would keep a host's own glslang from it.
[ "$(nm -C "$build/renderer/package/libpicavk.so" | grep -c 'glslang::')" -gt 100 ] || fail "no names: nothing was checked"
[ "$(nm -C "$build/renderer/package/libpicavk.so" | grep -c 'spvtools::')" -eq 0 ] || fail "libpicavk.so has the optimiser"
[ "$(nm -C --defined-only "$library/libpicavk.a" 2>/dev/null | grep -c 'glslang::SpirvTools')" -eq 0 ] ||
    fail "libpicavk.a defines functions of glslang"
# No name of Vulkan is defined in the static one.
if nm --extern-only --defined-only "$library/libpicavk.a" 2>/dev/null | awk '$3 ~ /^(vk|volk)[A-Z]/' | grep .; then
    fail "libpicavk.a defines names that an emulator's own volk or the Vulkan loader defines"
fi

echo "find_package"
for kind in static shared; do
    shared=OFF
    hidden=()
    if [ $kind = shared ]; then
        # The shared library needs none of the packages that picavk is built with.
        shared=ON
        for package in glslang SPIRV-Tools SPIRV-Tools-opt PkgConfig Threads; do
            hidden+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
        done
    fi
    quietly cmake -S "$source/tests/api/consumer" -B "$folder/$kind" -G Ninja -DCMAKE_BUILD_TYPE=Release "${hidden[@]}" \
        -DCMAKE_PREFIX_PATH="$folder/prefix" -DBUILD_SHARED_LIBS=$shared -DSAMPLES="$source/samples"
    quietly cmake --build "$folder/$kind"
    check_program "$folder/$kind/consumer_c" $kind
    check_program "$folder/$kind/consumer_cpp" $kind
done

echo "pkg-config"
export PKG_CONFIG_PATH=$library/pkgconfig
read -ra flags <<<"$(pkg-config --cflags picavk)"
read -ra shared_libraries <<<"$(pkg-config --libs picavk)"
read -ra static_libraries <<<"$(pkg-config --static --libs picavk)"
static_libraries=("${static_libraries[@]/#-lpicavk/-l:libpicavk.a}")
quietly cc "${flags[@]}" "$source/samples/embed/embed_minimal.c" -o "$folder/c" "${shared_libraries[@]}"
check_program "$folder/c" shared
quietly c++ -std=c++17 "${flags[@]}" "$source/samples/embed/embed_minimal.cpp" -o "$folder/cpp" "${static_libraries[@]}"
check_program "$folder/cpp" static

echo "add_subdirectory"
# Beside the build, so that a compiler cache finds what that one compiled.
nested=$(dirname "$build")/consumer
export CCACHE_BASEDIR=$source
for kind in static shared; do
    shared=OFF
    [ $kind = shared ] && shared=ON
    quietly cmake -S "$source/tests/api/consumer" -B "$nested" -G Ninja -DCMAKE_BUILD_TYPE=Release "${launcher[@]}" \
        -DPICAVK_SOURCE="$source" -DSAMPLES="$source/samples" -DBUILD_SHARED_LIBS=$shared
    rm -f "$nested"/picavk/renderer/package/libpicavk.*
    quietly cmake --build "$nested"
    # A host builds what it links, and nothing else of picavk.
    built=$(find "$nested/picavk/renderer/package" -name 'libpicavk.a' -o -name 'libpicavk.so' | sed 's/.*\.//')
    [ "$kind $built" = "static a" ] || [ "$kind $built" = "shared so" ] || fail "$kind: the host built $built"
    library=$nested/picavk/renderer/package
    check_program "$nested/consumer_c" $kind
    check_program "$nested/consumer_cpp" $kind
done

# A tree that says nothing of its build type keeps saying nothing (host.cmake checks it too).
quietly cmake -S "$source/tests/api/consumer" -B "$folder/plain" -G Ninja -DPICAVK_SOURCE="$source" \
    -DSAMPLES="$source/samples"
grep -q '^CMAKE_BUILD_TYPE:STRING=$' "$folder/plain/CMakeCache.txt" || fail "picavk chooses the build type of the tree"
