#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sourced: another Debian in a folder, made from nothing by debootstrap, and commands that run in it on a copy of the
# checkout. Root only. Mounts are made in a name space of their own and vanish with the command. What the scripts need of
# this machine they install, so that they run from a clean clone. CMAKE_BUILD_PARALLEL_LEVEL says how many compilers run
# at a time, here and in a chroot.

# The Debian archive that both systems are taken from: the one that this system's apt uses.
picavk_mirror()
{
    local uri
    uri=${PICAVK_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/*$' | head -1)}
    [ -n "$uri" ] || {
        echo "chroot: apt names no Debian archive; PICAVK_MIRROR does" >&2
        return 1
    }
    echo "$uri"
}

picavk_need_debootstrap()
{
    local log
    ! command -v debootstrap >/dev/null || return 0
    log=$(mktemp)
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends debootstrap; } \
        >"$log" 2>&1 </dev/null || {
        cat "$log" >&2
        echo "chroot: debootstrap is needed, and apt-get does not install it" >&2
        return 1
    }
    rm -f "$log"
}

# Builds what another system is compared with: the named targets of build/release, with the packages for them.
picavk_build_here()
{
    source samples/setup.sh
    echo "== here: build"
    picavk_build release --target "$@" >/dev/null
}

# $1: folder, $2: release (bookworm, trixie). A finished one is taken as it is.
picavk_make_chroot()
{
    local folder=$1 release=$2 proxy mirror
    mirror=$(picavk_mirror) || return 1
    [ "$(id -u)" -eq 0 ] || {
        echo "chroot: only root can make one" >&2
        return 1
    }
    [ ! -e "$folder/picavk-made" ] || return 0
    picavk_need_debootstrap || return 1
    echo "== Debian $release into $folder"
    mkdir -p "$folder"
    # The packages come through what this system's apt is told to use.
    proxy=$(apt-config dump --format '%v' Acquire::http::Proxy)
    http_proxy=${proxy:-${http_proxy:-}} debootstrap --variant=minbase "$release" "$folder" "$mirror" \
        >"$folder.log" 2>&1 || {
        tail -20 "$folder.log" >&2
        return 1
    }
    [ -z "$proxy" ] || echo "Acquire::http::Proxy \"$proxy\";" >"$folder/etc/apt/apt.conf.d/proxy"
    touch "$folder/picavk-made"
}

# Tracked and new files of the checkout (the current directory) into $1/picavk; what was built there stays.
picavk_copy_checkout()
{
    local folder=$1/picavk
    mkdir -p "$folder"
    find "$folder" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
    git ls-files -z --cached --others --exclude-standard |
        tar --create --ignore-failed-read --null --files-from=- 2>/dev/null | tar --extract --directory="$folder"
}

# Runs lines of the shell in the checkout inside $1, with a compiler cache of its own in /ccache. The first line that
# fails ends it.
picavk_in_chroot()
{
    local folder=$1 line=$2
    local level=${CMAKE_BUILD_PARALLEL_LEVEL:+CMAKE_BUILD_PARALLEL_LEVEL=$CMAKE_BUILD_PARALLEL_LEVEL}
    unshare --mount --propagation private bash -c '
        set -euo pipefail
        for name in proc sys dev; do mount --rbind "/$name" "$0/$name"; done
        cp /etc/resolv.conf "$0/etc/resolv.conf"
        exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CCACHE_DIR=/ccache \
            DEBIAN_FRONTEND=noninteractive $2 bash -eo pipefail -c "cd /picavk; $1"' "$folder" "$line" "$level"
}
