#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run by tests/systems/windows in its chroot, in the checkout: builds the program, the DLL with a program in C that uses it,
# and test suites, for 64-bit Windows, into build/windows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export PKG_CONFIG_LIBDIR=/windows/lib/pkgconfig CCACHE_BASEDIR=$PWD
zlib=/usr/x86_64-w64-mingw32
cmake -G Ninja -B build/windows -DCMAKE_TOOLCHAIN_FILE=/windows.cmake -DCMAKE_BUILD_TYPE=Release \
    -DPICAVK_STATIC_SPIRV_CROSS=ON -DPICAVK_VOLK_INCLUDE_DIR=/windows/volk \
    -DVulkanHeaders_DIR=/windows/lib/x86_64-linux-gnu/cmake/VulkanHeaders \
    -DZLIB_INCLUDE_DIR=$zlib/include -DZLIB_LIBRARY=$zlib/lib/libz.a \
    -DPNG_PNG_INCLUDE_DIR=/windows/include -DPNG_LIBRARY=/windows/lib/libpng.a \
    -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null
cmake --build build/windows --target picavk picavk_shared picavk_embed_adapter picavk_pica_tests picavk_shadergen_tests \
    picavk_renderer_tests

# As an emulator's author would: the public headers, and the library by which the linker knows the DLL.
package=build/windows/renderer/package
x86_64-w64-mingw32-gcc-posix -std=c99 -O2 -DPICAVK_SHARED -I$package/include samples/embed/embed_minimal.c \
    -o build/windows/dll_consumer.exe $package/libpicavk.dll.a
cp $package/libpicavk*.dll build/windows
# The DLL has the functions of the public headers and no others.
exported=$(x86_64-w64-mingw32-objdump -p build/windows/libpicavk*.dll | sed -n '/\[Ordinal\/Name Pointer\]/,/^$/s/.*\] *//p' |
    sed 1d | sort)
declared=$(cat $package/include/picavk/*.h | tr '\n' ' ' | grep -oE 'PICAVK_API [^;(]*\(' | grep -oE 'picavk_[a-z0-9_]+' | sort -u)
[ -n "$declared" ] && diff <(echo "$declared") <(echo "$exported")
