// SPDX-License-Identifier: MIT
// The SPIR-V that the build has made of the fixed shaders is what a run would make of them.
#include "renderer/pipelines/baked_shaders.h"

#include <doctest/doctest.h>

using namespace renderer;

TEST_CASE("baked shaders: every fixed shader is there in both forms, as a run compiles it")
{
#if defined(PICAVK_NOT_BAKED)
    CHECK(baked_file().empty());
#else
    for (const bool one_form : {false, true})
        for (pica::u32 i = 0; i < kFixedShaderCount; ++i)
        {
            const auto shader = static_cast<FixedShader>(i);
            CAPTURE(facts_of(shader).file);
            CAPTURE(one_form);
            const auto compiled =
                shadergen::compile(shadergen::Stage::Compute, text_of(shader, one_form), {});
            REQUIRE(compiled);
            CHECK((baked_spirv(shader, one_form) == *compiled));
        }
#endif
}

TEST_CASE("baked shaders: no two are the same module")
{
#if !defined(PICAVK_NOT_BAKED)
    for (pica::u32 i = 0; i < 2 * kFixedShaderCount; ++i)
        for (pica::u32 k = 0; k < i; ++k)
        {
            const auto module = [](pica::u32 index) {
                return baked_spirv(static_cast<FixedShader>(index % kFixedShaderCount),
                                   index >= kFixedShaderCount);
            };
            CAPTURE(i);
            CAPTURE(k);
            CHECK((module(i) != module(k)));
        }
#endif
}
