// SPDX-License-Identifier: MIT
// Conformance suites. A generator makes guest state from a seed, a ConformanceMachine runs that state in both
// backends, and not one byte of guest memory may differ. How to write one, tests/conformance/<block>.cpp:
//
//   // The forced renderer paths that matter for the block; their number must not be 7.
//   constexpr Variant kVariants[] = {kRasterOrder, kBarrier};
//   // Every value of these fields must be reached and must change a byte.
//   constexpr OwnedField kFields[] = {owned("logic op", reg::LOGIC_OP::op, 16), ...};
//   void generate(ConformanceMachine& machine, Random& random)
//   {
//       ListScene s(machine, random, 32, 32);  // small targets, tens of draws
//       for (u32 i = 0; i < machine.states(16, 6); ++i) {
//           ... s.list.set(...), s.triangles(3); s.draw();
//       }
//       s.run();
//   }
//   // What the decoded state must reach (coverage.h).
//   void require(Coverage& coverage) { coverage.require("output class", {1, 2}); }
//   // The name of a test case is a filter of doctest: no comma in it.
//   TEST_CASE("conformance: logic operations leave the same bytes in both cores")
//   {
//       run_suite({.name = "logic op", .variants = kVariants, .fields = kFields, .generate = generate,
//                  .require = require});
//   }
//
// Seed n runs variant n % (number of variants) and the shader choice n % 7: five sevenths of the seeds use
// the ubershader, one seventh specialised pipelines, one seventh both in turn. So every pair of variant and
// shader choice gets its share of the seeds, and a seed alone (PICAVK_SEED=n) does what it does among all.
// One renderer serves all seeds of a pair, so that its caches are tested too. A third of the seeds is
// compared after every operation, a third after every list, and a third once after a whole frame of draws. A
// long run compares the seeds of a short run in all three ways.
#pragma once

#include "tests/support/suite/conformance.h"

#include <optional>

namespace tests
{

inline constexpr u32 kBlockSeeds = 100; // for every suite that stands for a block of the GPU
inline constexpr u32 kLongSeeds = 1000; // for most suites in a long run

struct Suite
{
    const char* name;
    std::span<const Variant> variants = {};
    u32 seeds = kBlockSeeds; // for all variants together
    u32 long_seeds = kLongSeeds;
    std::span<const u32> found = {}; // additional seeds, each of which once found a defect
    std::span<const OwnedField> fields = {};
    void (*generate)(ConformanceMachine& machine, Random& random) = nullptr;
    void (*require)(Coverage& coverage) = nullptr; // what all seeds together must reach, besides the fields
    // For suites in which nearly every draw has its own state: five sevenths of the seeds use specialised
    // pipelines, one seventh the ubershader.
    bool mostly_specialised = false;
    u32 vram_bytes = ConformanceMachine::kVramBytes;
    std::span<const MemoryRange> more_regions = {}; // of the guest, besides VRAM and FCRAM
    bool needs_changes = true;                      // a third of the seeds must change a byte
    bool reference = false; // also compare each draw with the scalar reference (reference_pixel.h)
    bool carryover = false; // compare and exchange what draws leave behind (for half of the seeds)
    std::optional<Shaders> all_shaders = {}; // for every seed, instead of the shares
};

// The body of a suite's test case. Prints "conformance NAME: 100 seeds (72 ubershader, 14 specialised, 14
// mixed), 0 differing bytes, 5120 draws", then what was reached.
void run_suite(const Suite& suite);

// A suite repeated at N times the resolution: with kScaledVariants, unless others are named, and shaders of both kinds by
// turns, so that few renderers are made. Most seeds are short (ConformanceMachine::steps). What its seeds must reach is
// required at 1x.
inline constexpr u32 kScaledSeeds = 100;
void run_scaled_suite(Suite suite, u32 seeds = kScaledSeeds);

} // namespace tests
