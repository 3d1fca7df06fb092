// SPDX-License-Identifier: MIT
// SoftwareContext: the software backend of a context (context.h), made when it is first needed, and made anew when the
// internal resolution changes. Tests: tests/api/context_scale_test.cpp.
#pragma once

#include "pica/soft/software_core.h"
#include "pica/upscale/plane_memory.h"

#include <memory>
#include <utility>

namespace renderer
{

class SoftwareContext
{
public:
    // memory and report must outlive the object.
    SoftwareContext(pica::GuestMemory& memory, pica::Report& report, const pica::SoftwareOptions& options)
        : memory_(memory), report_(report), options_(options)
    {
        options_.keeps_draws_in_flight = true;
    }

    pica::SoftwareCore& core()
    {
        if (!core_)
            core_ = std::make_unique<pica::SoftwareCore>(memory_, report_, options_);
        return *core_;
    }
    // core() is another one from now on. Returns the one before, which may still be in use.
    std::unique_ptr<pica::SoftwareCore> set_scale(pica::u32 scale)
    {
        const auto [decoded, bytes] = textures();
        earlier_ = {.textures_decoded = decoded, .texture_bytes = bytes};
        options_.scale = scale;
        return std::move(core_);
    }

    // Lets the core, if it is in use, go on with the planes of the one before, which has worked on the same guest memory.
    // Null, or 1x: nothing.
    void keep_planes(const pica::SoftwareCore* before)
    {
        if (core_ && core_->planes() != nullptr && before != nullptr && before->planes() != nullptr)
            core_->planes()->take_over(*before->planes());
    }

    // Takes back a core that set_scale returned, of this scale.
    void restore(std::unique_ptr<pica::SoftwareCore> core, pica::u32 scale)
    {
        core_ = std::move(core);
        options_.scale = scale;
        const pica::SoftwareStatistics now = core_ ? core_->statistics() : pica::SoftwareStatistics{};
        earlier_.textures_decoded -= now.textures_decoded; // counted again from now on
        earlier_.texture_bytes -= now.texture_bytes;
    }

    // Of all cores.
    struct Textures
    {
        pica::u64 decoded, bytes;
    };
    Textures textures() const
    {
        const pica::SoftwareStatistics now = core_ ? core_->statistics() : pica::SoftwareStatistics{};
        return {earlier_.textures_decoded + now.textures_decoded, earlier_.texture_bytes + now.texture_bytes};
    }

private:
    pica::GuestMemory& memory_;
    pica::Report& report_;
    pica::SoftwareOptions options_;
    std::unique_ptr<pica::SoftwareCore> core_;
    pica::SoftwareStatistics earlier_; // of the cores before
};

} // namespace renderer
