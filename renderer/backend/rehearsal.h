// SPDX-License-Identifier: MIT
// The rehearsal (design D11): at the first start per driver the renderer plays RehearsalScene beside the
// software core. The self-test measures single facts in small shaders of its own. The rehearsal compares what
// the renderer itself makes of draws, and so covers what the self-test does not: the stencil, logic
// operations, triangle records beyond the stride, indirect draws, vertex work and geometry programs on the
// device, textures, lighting, procedural textures, shadow maps, gas, transfers, and the interlock: where it is forced, and
// where the device has no rasterization-order access, for which it is chosen if it is exact. Tests:
// tests/renderer/rehearsal_test.cpp, tests/cli/rehearsal_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "renderer/backend/options.h"

namespace renderer
{

class Device;
class DiskCache;
struct SelfTestResult;

// Plays the scene with the methods that the options and the facts choose. Where the bytes differ it clears
// the fact of a method that the differing draws need, and plays again, until nothing differs. Facts that no
// method can replace end it: then facts.usable() is false. Creates renderers of its own, so it takes one to
// three seconds, and as much again for each fact that it clears; submits and waits. options and report: those
// of the renderer that is being made; device: its device. cache, if not null, keeps the verdict; it is read
// unless RehearsalChoice::Always. An error: no renderer could be created, for instance because the options
// force an inexact method; or the device of one failed, and then `device` has failed as well.
pica::Status rehearse(const Options& options, pica::Report& report, Device& device, DiskCache* cache,
                      SelfTestResult& facts);

} // namespace renderer
