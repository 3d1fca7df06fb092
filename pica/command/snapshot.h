// SPDX-License-Identifier: MIT
// Saved states: everything that affects what a Gpu does next, as bytes. Both backends give the same bytes at
// the same point of a stream, and either goes on from them. Format: SNAPSHOT.md beside this file. Tests:
// tests/pica/snapshot_test.cpp, tests/api/snapshot_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/command/gpu.h"
#include "pica/memory/guest_memory.h"

#include <span>
#include <vector>

namespace pica
{

enum class SnapshotMemory : u8
{
    Include,
    LeaveOut, // the host keeps it itself
};

// How the regions of the state lie in those of the Gpu's backend.
enum class SnapshotRegions : u8
{
    Equal,
    Inside, // a machine with more memory, which is 0 where the state has none
};

inline constexpr u32 kSnapshotVersion = 2;
// Read too: a list in execution has covered no pixels.
inline constexpr u32 kFirstSnapshotVersion = 1;

// Brings the backend's results to guest memory first. May be called in the middle of a command list.
std::vector<u8> save_snapshot(Gpu& gpu, SnapshotMemory memory);

// Where the state has no memory, the host has put its own in place (will_write before, did_write after).
// Errors: bytes that are no state, are of another version, truncated or corrupt, or whose memory regions do
// not fit. Then nothing has changed.
Status load_snapshot(Gpu& gpu, std::span<const u8> snapshot,
                     SnapshotRegions regions = SnapshotRegions::Equal);

// Checks it as loading does. Errors: as there, and a state without memory. Gives the regions it has.
Result<std::vector<MemoryRange>> check_snapshot(std::span<const u8> snapshot);

} // namespace pica
