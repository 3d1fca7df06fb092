#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sourced by samples/run and tests/run: installs the Debian packages that are missing, and nothing else.
# Every package is listed with its reason in samples/PACKAGES.md, which README.md links.

picavk_packages=(
    build-essential cmake ninja-build ccache pkg-config
    libvulkan-dev libvulkan-volk-dev vulkan-validationlayers mesa-vulkan-drivers
    glslang-dev glslang-tools spirv-tools libspirv-cross-c-shared-dev
    libzstd-dev libglfw3-dev libimgui-dev libcli11-dev nlohmann-json3-dev libpng-dev libxxhash-dev
    doctest-dev doxygen xvfb xdotool qemu-user
    gcc-arm-none-eabi libunicorn-dev
)

# Of tests/run, which sets PICAVK_WITH_TESTS: a browser, which nothing else needs.
[ -z "${PICAVK_WITH_TESTS:-}" ] || picavk_packages+=(chromium chromium-driver python3-selenium)

picavk_install_packages()
{
    local missing=() package status log
    for package in "${picavk_packages[@]}"; do
        status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0

    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "setup: these Debian packages are missing and there is no sudo: ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "setup: installing ${missing[*]}"
    log=$(mktemp)
    if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
            "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        rm -f "$log"
        echo "setup: apt-get failed" >&2
        return 1
    fi
    rm -f "$log"
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    picavk_install_packages
else
    echo "setup: this is not Debian; these packages (or their likes) are expected: ${picavk_packages[*]}" >&2
fi

# Configures and builds one preset. $1: preset; further arguments go to the build.
picavk_build()
{
    local preset=$1
    shift
    local launcher=()
    # Paths below the project count as relative, so that one build finds what another has compiled.
    export CCACHE_BASEDIR=$PWD
    # Without these it does not keep what is compiled with a precompiled header. No source here has __TIME__ or __DATE__.
    export CCACHE_SLOPPINESS=pch_defines,time_macros
    command -v ccache >/dev/null &&
        launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    cmake --preset "$preset" "${launcher[@]}" >/dev/null
    cmake --build --preset "$preset" "$@"
}
