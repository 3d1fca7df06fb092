// SPDX-License-Identifier: MIT
// Which of several equivalent ways the renderer takes. Auto chooses by facts of the device; all ways leave the same
// bytes (renderer/PATHS.md).
#pragma once

#include "pica/base/types.h"

namespace renderer
{

enum class VertexExecutorChoice : pica::u8
{
    Auto, // CPU on CPU devices, else compute
    Cpu,
    Compute,
    Interpret, // compute, programs interpreted on the device instead of compiled
};
enum class BlendPathChoice : pica::u8
{
    Auto, // the first of the list that the device has
    RasterOrder,
    Interlock,
    Barrier,
};
enum class CoverageChoice : pica::u8
{
    Auto, // fixed function where the self-test passed
    FixedFunction,
    Shader,
};

// The ubershader reads the fragment state from memory instead of having it compiled in (design D10).
enum class UbershaderChoice : pica::u8
{
    First, // until worker threads have made the draw's own pipeline; no draw waits for it
    Never, // every pipeline is made when a draw first needs it, and the draw waits
    Always,
    Mixed, // every other draw: shows that the two agree in one picture
};

// Who draws while workers make a draw's own pipeline (UbershaderChoice::First).
enum class StandInChoice : pica::u8
{
    Auto, // the software core on devices that compile late (renderer/backend/software_fallback.h), else the ubershader
    Ubershader,
    Software,
};

} // namespace renderer
