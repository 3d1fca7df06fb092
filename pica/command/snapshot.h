// SPDX-License-Identifier: MIT
// Saved states: everything that affects what a Gpu does next, as bytes. Both backends save the same bytes at
// the same point of a stream, and each can continue from them. Format: SNAPSHOT.md beside this file. Tests:
// tests/pica/snapshot_test.cpp, tests/api/snapshot_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/memory/guest_memory.h"

#include <span>
#include <vector>

namespace pica
{

class Gpu;

enum class SnapshotMemory : u8
{
    Include,
    LeaveOut, // the host saves memory itself
};

// How the memory regions of the state must relate to those of the Gpu's backend.
enum class SnapshotRegions : u8
{
    Equal,
    Inside, // the backend may have more memory; it becomes 0 where the state has none
};

inline constexpr u32 kSnapshotVersion = 2;
// The oldest version that is read. In its states, a list in execution has covered no pixels yet.
inline constexpr u32 kFirstSnapshotVersion = 1;

// Updates guest memory first. May be called in the middle of a command list.
std::vector<u8> save_snapshot(Gpu& gpu, SnapshotMemory memory);

// If the state contains no memory, the host must have restored its own (will_write before, did_write after).
// Errors: the bytes are not a state, are of another version, truncated or corrupt, or their memory regions do
// not fit. Then nothing has changed.
Status load_snapshot(Gpu& gpu, std::span<const u8> snapshot,
                     SnapshotRegions regions = SnapshotRegions::Equal);

// Checks a state as loading does, and returns its memory regions. Errors: as for loading, and a state without
// memory.
Result<std::vector<MemoryRange>> check_snapshot(std::span<const u8> snapshot);

} // namespace pica
