// SPDX-License-Identifier: MIT
// Conformance suites: a generator makes guest state from a seed, a ConformanceMachine runs it in both cores,
// not one byte may differ. How to write one, tests/conformance/<block>.cpp:
//
//   constexpr Variant kVariants[] = {kRasterOrder, kBarrier};   // the forced paths that matter; never 7 of
//   them constexpr OwnedField kFields[] = {owned("logic op", reg::LOGIC_OP::op, 16), ...}; // every value is
//   reached void generate(ConformanceMachine& machine, Random& random)
//   {
//       ListScene s(machine, random, 32, 32);                   // small targets, tens of draws
//       for (u32 i = 0; i < machine.states(16, 6); ++i) {
//           ... s.list.set(...), s.triangles(3); s.draw();
//       }
//       s.run();
//   }
//   void require(Coverage& coverage) { coverage.require("output class", {1, 2}); } // decoded state,
//   coverage.h TEST_CASE("conformance: logic operations leave the same bytes in both cores") // no comma: it
//   is a filter
//   {
//       run_suite({.name = "logic op", .variants = kVariants, .fields = kFields, .generate = generate,
//                  .require = require});
//   }
//
// Seed n belongs to variant n % variants, and to n % 7 of the shaders: mostly the ubershader, a seventh
// specialised pipelines, a seventh both by turns. So every pair has its share of the seeds, and a seed alone
// (PICAVK_SEED=n) is what it was among all. One renderer serves all seeds of a pair, so that its caches are
// tested too. A third of the seeds each is compared after every operation, after every list, and once behind
// a whole frame of draws; in a long run all three ways for the seeds of a short one.
#pragma once

#include "tests/support/conformance.h"

#include <optional>

namespace tests
{

inline constexpr u32 kBlockSeeds = 100; // of every suite that stands for a block of the GPU
inline constexpr u32 kLongSeeds = 1000; // of most suites in a long run

struct Suite
{
    const char* name;
    std::span<const Variant> variants;
    u32 seeds = kBlockSeeds; // of all variants together
    u32 long_seeds = kLongSeeds;
    std::span<const u32> found = {}; // more seeds, each of which once found a defect
    std::span<const OwnedField> fields = {};
    void (*generate)(ConformanceMachine& machine, Random& random) = nullptr;
    void (*require)(Coverage& coverage) = nullptr; // what all seeds together must reach besides the fields
    // Where nearly every draw is a state of its own: five seventh of the seeds specialised, one ubershader.
    bool mostly_specialised = false;
    u32 vram_bytes = ConformanceMachine::kVramBytes;
    std::span<const MemoryRange> more_regions = {}; // of the guest, beside VRAM and FCRAM
    bool needs_changes = true;                      // a third of the seeds must change a byte
    bool reference = false; // compare each draw with the scalar reference (reference_pixel.h) as well
    bool carryover = false; // compare and exchange what draws leave behind (half of the seeds)
    std::optional<Shaders> all_shaders = {}; // of every seed, instead of the shares
};

// The body of a suite's test case. Prints
// "conformance NAME: 100 seeds (72 ubershader, 14 specialised, 14 mixed), 0 differing bytes, 5120 draws",
// then what was reached.
void run_suite(const Suite& suite);

} // namespace tests
