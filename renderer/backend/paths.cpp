// SPDX-License-Identifier: MIT
#include "renderer/backend/paths.h"

#include "renderer/pipelines/shader_cache.h"
#include "renderer/self_test/self_test.h"

namespace renderer
{

namespace
{

Error inexact(const char* path, const char* test = "self-test")
{
    return Error{std::string("blend path ") + path + ": the " + test +
                 " found that this device reads the destination inexactly with it"};
}

Result<BlendPath> choose_blend_path(BlendPathChoice choice, const Features& features,
                                    const SelfTestResult& self_test)
{
    switch (choice)
    {
    case BlendPathChoice::Auto:
        break;
    case BlendPathChoice::RasterOrder:
        if (!features.rasterization_order_access)
            return Error{"blend path raster-order: the device has no rasterization-order attachment access"};
        if (!self_test.fetch_exact)
            return inexact("raster-order");
        return BlendPath::RasterOrder;
    case BlendPathChoice::Interlock:
        if (!features.fragment_interlock)
            return Error{"blend path interlock: the device has no fragment shader interlock"};
        if (!self_test.interlock_exact)
            return inexact("interlock", "rehearsal");
        return BlendPath::Interlock;
    case BlendPathChoice::Barrier:
        if (!self_test.barrier_exact)
            return inexact("barrier");
        return BlendPath::Barrier;
    }
    if (features.rasterization_order_access && self_test.fetch_exact)
        return BlendPath::RasterOrder;
    if (features.fragment_interlock && self_test.interlock_chosen)
        return BlendPath::Interlock;
    if (!self_test.barrier_exact)
        return inexact("barrier");
    return BlendPath::Barrier;
}

} // namespace

Result<Paths> choose_paths(const Options& options, const Features& features, const SelfTestResult& self_test)
{
    Paths paths;
    const Result<BlendPath> blend = choose_blend_path(options.blend_path, features, self_test);
    if (!blend)
        return blend.error();
    paths.blend = *blend;
    paths.stencil = features.depth_stencil && self_test.stencil_exact;

    if (options.coverage == CoverageChoice::FixedFunction && !self_test.coverage_exact)
        return Error{"coverage fixed: the self-test found fixed-function coverage of this device inexact"};
    paths.coverage_in_shader = options.coverage == CoverageChoice::Shader ||
                               (options.coverage == CoverageChoice::Auto && !self_test.coverage_exact);

    // Bounding rectangles are made from the snapped triangles, so those must be on the CPU.
    const bool needs_cpu = paths.coverage_in_shader;
    const bool interprets = options.vertex_executor == VertexExecutorChoice::Interpret;
    const bool forced = interprets || options.vertex_executor == VertexExecutorChoice::Compute;
    if (forced && !self_test.device_vertices_exact)
        return Error{"vertex executor compute: the rehearsal found vertex work on this device inexact"};
    if (forced && needs_cpu)
        return Error{"vertex executor compute: only with fixed-function coverage"};
    const bool wanted = forced || (options.vertex_executor == VertexExecutorChoice::Auto && !features.is_cpu);
    paths.compute = wanted && !needs_cpu && self_test.device_vertices_exact;
    paths.interprets = paths.compute && interprets;
    paths.serial_geometry =
        paths.compute && (interprets || options.serial_geometry == SerialGeometryChoice::Device);
    return paths;
}

DrawKinds inexact_kinds(const SelfTestResult& self_test)
{
    return {.lighting = !self_test.lighting_exact,
            .procedural = !self_test.procedural_exact,
            .shadows = !self_test.shadows_exact,
            .gas = !self_test.gas_exact,
            .levels = !self_test.levels_exact,
            .cubes = !self_test.cubes_exact};
}

} // namespace renderer
