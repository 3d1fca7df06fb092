// SPDX-License-Identifier: MIT
// Options that choose between equivalent methods of the renderer. Auto chooses by facts of the device. All
// methods leave the same bytes (renderer/PATHS.md).
#pragma once

#include "pica/base/types.h"

namespace renderer
{

// Who does the vertex work of draws.
enum class VertexExecutorChoice : pica::u8
{
    Auto, // the CPU executor on devices that are CPUs, else the compute executor
    Cpu,
    Compute,
    Interpret, // the compute executor, with programs interpreted instead of compiled
};
// Who runs geometry programs whose invocations cannot run side by side, with the compute executor.
enum class SerialGeometryChoice : pica::u8
{
    Cpu,    // the CPU: one invocation of a shader would need seconds for what the guest may ask for
    Device, // the device, for tests; Interpret implies it
};
// How fetch-class draws read what earlier draws wrote (BlendPath).
enum class BlendPathChoice : pica::u8
{
    Auto, // raster order if the device has it and it passed the self-test, else barriers
    RasterOrder,
    Interlock,
    Barrier,
};
// Who decides which pixels a triangle covers.
enum class CoverageChoice : pica::u8
{
    Auto, // the fixed function if it passed the self-test, else the shader
    FixedFunction,
    Shader,
};

// When the ubershader draws. It reads the fragment state from memory instead of having it compiled in (design
// D10).
enum class UbershaderChoice : pica::u8
{
    First, // until workers have compiled the draw's own pipeline; no draw waits for it
    Never, // a pipeline is compiled when a draw first needs it, and the draw waits
    Always,
    Mixed, // in two draws of four, which shows in one picture that both agree
};

// Which fallback draws while workers compile a draw's own pipeline (UbershaderChoice::First).
enum class FallbackChoice : pica::u8
{
    Auto, // the software renderer on devices that compile late (SoftwareFallback), else the ubershader
    Ubershader,
    Software,
};

// When the rehearsal is held (renderer/backend/rehearsal.h).
enum class RehearsalChoice : pica::u8
{
    // At the first start per driver: where its verdict can be kept and no earlier one is there, and the options
    // force neither vertex work nor blend path nor coverage. Also where they force the interlock.
    Auto,
    Always, // even where an earlier verdict is there
    Never,
};

} // namespace renderer
