#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the build asks of the compilers and linkers of systems that are not here: CMake configures picavk for macOS (Clang)
# and for Windows with a compiler that takes MSVC's options (clang-cl). No command may have an option that only GNU's tools,
# or only GCC and Clang, understand. Nothing is compiled: their headers are not here.
#   other_systems.sh SOURCE     exit 77 (skipped) where Clang is not installed, or not on Debian
set -euo pipefail
source=$(cd "$1" && pwd)
cl=$(command -v clang-cl || compgen -c clang-cl- | head -1 || true)
rc=$(command -v llvm-rc || compgen -c llvm-rc- | head -1 || true)
if ! command -v clang++ >/dev/null || [ -z "$cl" ] || [ -z "$rc" ]; then
    echo "clang++, clang-cl and llvm-rc are needed"
    exit 77
fi
# The packages of this machine, whose libraries are never opened.
packages=/usr/lib/$(c++ -print-multiarch)/cmake
[ -d "$packages/glslang" ] || {
    echo "no packages as Debian has them"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1"; exit 1; }

# $1: name of the build, $2: CMake's name of the system, $3: processor, $4: C compiler, $5: C++ compiler; further arguments
# go to CMake. The commands, as they are without the names of files, go to a file.
configure()
{
    local build=$folder/$1
    cmake -G Ninja -S "$source" -B "$build" -Wno-dev -DCMAKE_SYSTEM_NAME="$2" -DCMAKE_SYSTEM_PROCESSOR="$3" \
        -DCMAKE_C_COMPILER="$4" -DCMAKE_CXX_COMPILER="$5" -DCMAKE_C_COMPILER_WORKS=1 -DCMAKE_CXX_COMPILER_WORKS=1 \
        -DCMAKE_BUILD_TYPE=Release -DPICAVK_BUILD_TESTS=OFF -DPICAVK_BUILD_SAMPLES=OFF -DCMAKE_HAVE_LIBC_PTHREAD=1 \
        "-DSPIRV-Tools_DIR=$packages/SPIRV-Tools" "-DSPIRV-Tools-opt_DIR=$packages/SPIRV-Tools-opt" \
        "-Dglslang_DIR=$packages/glslang" "-DVulkanHeaders_DIR=$packages/VulkanHeaders" \
        -DPICAVK_VOLK_INCLUDE_DIR=/usr/include "${@:6}" >"$build.log" 2>&1 || {
        tail -20 "$build.log"
        fail "$1: CMake does not configure"
    }
    grep -E '^ *(FLAGS|LINK_FLAGS|DEFINES|COMMAND|LINK_LIBRARIES) = ' "$build/build.ninja" | sort -u >"$build.flags"
    [ "$(wc -l <"$build.flags")" -gt 10 ] || fail "$1: nothing was checked"
    if grep -E -e '--version-script|--gc-sections|--force-group|-mavx|PICA_X86_KERNELS' "$build.flags"; then
        fail "$1: an option of GNU's tools"
    fi
}

configure macos Darwin arm64 clang clang++ -DCMAKE_INSTALL_NAME_TOOL=true
grep -q -e '-exported_symbol .*_picavk_\*' "$folder/macos.flags" || fail "macos: the library exports everything"
grep -q -e '-ffp-contract=off' "$folder/macos.flags" || fail "macos: products and sums may be fused"
configure msvc Windows AMD64 "$cl" "$cl" -DCMAKE_RC_COMPILER="$rc" -DCMAKE_MT=true -DCMAKE_LINKER=lld-link
grep -q '/fp:precise' "$folder/msvc.flags" || fail "msvc: floats may be computed otherwise"
grep -q 'PICAVK_PLAIN_LANES' "$folder/msvc.flags" || fail "msvc: vector types of GCC"
if grep -E '^ *FLAGS = (.* )?-(f|W|m|include)[a-z]' "$folder/msvc.flags"; then fail "msvc: an option of GCC and Clang"; fi
echo "macOS and MSVC: the options are their own"
