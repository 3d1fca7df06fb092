#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run by tests/systems/windows in its chroot: the libraries that picavk links, for 64-bit Windows, into /windows. Debian has
# no packages of them for mingw-w64, so they are built from Debian's own source packages. Libraries that are headers alone
# are copied, because /usr/include, where Debian has them, has the headers of Linux too.
#   windows_libraries.sh SOURCES    SOURCES: the folder in which apt-get unpacked them
set -euo pipefail
cd "$1"
export CCACHE_BASEDIR=$PWD

# $1: name of the build, $2: folder of the source; further arguments go to CMake.
build()
{
    local name=$1 source=$2
    shift 2
    [ ! -e "/windows/made-$name" ] || return 0
    echo "$name"
    cmake -G Ninja -S "$source" -B "build-$name" -DCMAKE_TOOLCHAIN_FILE=/windows.cmake -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX=/windows -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
    cmake --build "build-$name" --target install
    touch "/windows/made-$name"
}

zlib=/usr/x86_64-w64-mingw32
mkdir -p /windows/include /windows/lib/cmake /windows/lib/x86_64-linux-gnu/cmake /windows/volk /windows/spirv/include
cp -r /usr/include/{CLI,nlohmann,vulkan,vk_video,doctest} /windows/include
cp -r /usr/lib/cmake/doctest /usr/share/cmake/{CLI11,nlohmann_json} /windows/lib/cmake
sed -i 's#_IMPORT_PREFIX "/usr"#_IMPORT_PREFIX "/windows"#' /windows/lib/cmake/doctest/doctestTargets.cmake
cp -r /usr/lib/x86_64-linux-gnu/cmake/VulkanHeaders /windows/lib/x86_64-linux-gnu/cmake
cp /usr/include/volk.[ch] /windows/volk
cp -r /usr/include/spirv /windows/spirv/include

build zstd libzstd-*/build/cmake -DZSTD_BUILD_SHARED=OFF -DZSTD_BUILD_PROGRAMS=OFF
build png libpng1.6-*/ -DPNG_SHARED=OFF -DPNG_TESTS=OFF -DPNG_EXECUTABLES=OFF -DZLIB_INCLUDE_DIR=$zlib/include \
    -DZLIB_LIBRARY=$zlib/lib/libz.a
# Without the optimiser, which picavk does not call; with its programs, because the table of default limits is beside them.
build glslang glslang-*/ -DENABLE_OPT=OFF -DENABLE_HLSL=OFF -DENABLE_CTEST=OFF
# Only the library that checks and prints modules: the optimiser, and what is built upon it, takes many times longer.
sed -i -E '/^add_subdirectory\((opt|reduce|fuzz|link|lint|diff)\)/d' spirv-tools-*/source/CMakeLists.txt
build spirv-tools spirv-tools-*/ -DSPIRV-Headers_SOURCE_DIR=/windows/spirv -DSPIRV_SKIP_TESTS=ON \
    -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_WERROR=OFF
build spirv-cross spirv-cross-*/ -DSPIRV_CROSS_CLI=OFF -DSPIRV_CROSS_ENABLE_TESTS=OFF -DSPIRV_CROSS_SHARED=OFF
build glfw glfw3-*/ -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_DOCS=OFF
build xxhash xxhash-*/cmake_unofficial -DXXHASH_BUILD_XXHSUM=OFF
