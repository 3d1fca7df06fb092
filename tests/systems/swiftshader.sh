#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command on SwiftShader, a second Vulkan driver: the one that Debian's browser brings along. An installed
# one is used, else the one that `fetch` has unpacked.
#   tests/systems/swiftshader.sh fetch             downloads the package (80 MB), keeps the driver alone
#   tests/systems/swiftshader.sh icd               prints the driver's description file; exit 1 where there is none
#   tests/systems/swiftshader.sh COMMAND...        with 8 GB of address space, so that a compiler cannot take all
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
unpacked=$here/build/swiftshader

find_icd()
{
    local folder
    for folder in /usr/lib/chromium "$unpacked"; do
        if [ -f "$folder/vk_swiftshader_icd.json" ] && [ -f "$folder/libvk_swiftshader.so" ]; then
            echo "$folder/vk_swiftshader_icd.json"
            return 0
        fi
    done
    return 1
}

fetch()
{
    local work
    work=$(mktemp -d)
    # In it both before and after the package was divided.
    if ! (cd "$work" && { apt-get download -q chromium-common || apt-get download -q chromium; } >log 2>&1); then
        cat "$work/log" >&2
        rm -rf "$work"
        return 1
    fi
    dpkg -x "$work"/chromium*.deb "$work/files"
    mkdir -p "$unpacked"
    cp "$work"/files/usr/lib/chromium/libvk_swiftshader.so "$work"/files/usr/lib/chromium/vk_swiftshader_icd.json \
        "$unpacked"
    rm -rf "$work"
}

case ${1:-} in
fetch) find_icd >/dev/null || fetch ;;
icd) find_icd ;;
"" | -h | --help)
    sed -n '3,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
*)
    icd=$(find_icd) || {
        echo "swiftshader: no driver; tests/systems/swiftshader.sh fetch" >&2
        exit 1
    }
    # The older and the newer name of one variable.
    export VK_ICD_FILENAMES=$icd VK_DRIVER_FILES=$icd
    ulimit -v 8000000
    exec "$@"
    ;;
esac
