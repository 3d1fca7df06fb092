// SPDX-License-Identifier: MIT
// Runs probes on picavk: what the program for the console does there, by register writes.
#pragma once

#include "samples/probe/probe.h"

#include <span>
#include <vector>

namespace pica
{
class Gpu;
}

namespace samples
{

// The answer of a probe. gpu: with VRAM of 6 MiB and FCRAM of kMaxPiece at least. Its memory is cleared first.
std::vector<pica::u8> run_probe(const Probe& probe, pica::Gpu& gpu);
// The same on a software core of its own.
std::vector<pica::u8> predict(const Probe& probe);

// FNV-1a of 64 bits: names an answer in tables.
pica::u64 answer_digest(std::span<const pica::u8> answer);

} // namespace samples
