// SPDX-License-Identifier: MIT
// How many bytes a second the machine's memory moves: all processors together copy blocks that no cache holds. What they
// read and what they write counts. The best of a few passes, because every disturbance makes them longer.
#pragma once

namespace samples
{

// Bytes per second; 0 if there is no memory for the blocks.
double measure_memory_bandwidth();

} // namespace samples
