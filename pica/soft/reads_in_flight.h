// SPDX-License-Identifier: MIT
// What a draw reads of the memory that draws in flight write (draws_in_flight.h). Those have to be finished first. Tests:
// reads_in_flight_test.cpp, draws_in_flight_test.cpp.
#pragma once

#include "pica/state/draw.h"

namespace pica
{
class GuestMemory;
}

namespace pica::soft
{

class DrawsInFlight;

// Vertices and indices.
bool reads_vertices_in_flight(const Draw& draw, const DrawsInFlight& in_flight, const GuestMemory& memory);
// Textures, and the depth buffer of gas. No texture that draws in flight read is decoded again while this is false: memory
// changes by draws, or by the CPU, whose announcements finish.
bool reads_textures_in_flight(const Draw& draw, const DrawsInFlight& in_flight, const GuestMemory& memory);

} // namespace pica::soft
