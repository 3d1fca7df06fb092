// SPDX-License-Identifier: MIT
// Reads drawn pictures without passing through guest memory: pictures that the renderer holds as images are
// also used as textures and as inputs of transfers. Each complete picture (another target follows, or the
// seed ends) goes through a display transfer to RGBA8 words, and at the end through a draw that samples it.
// The results are put into a ring of memory that is compared when it is full.
#pragma once

#include "pica/command/lockstep.h"
#include "tests/support/scenes/draw_scene.h"
#include "tests/support/suite/coverage.h"

namespace tests
{

class PictureReader
{
public:
    static constexpr u32 kOutputClasses = 5; // coverage counts format * kOutputClasses + OutputClass
    // ring_bytes: a multiple of 64.
    PictureReader(LockstepBackend& lockstep, Coverage& coverage, PhysAddr ring, u32 ring_bytes)
        : lockstep_(lockstep), coverage_(coverage), ring_(ring), ring_bytes_(ring_bytes)
    {
    }

    // Call it before the backends execute the draw.
    void before(const Draw& draw);
    // Reads the last picture of the seed.
    void finish();
    // Number of pictures that were transferred.
    u32 transferred() const { return transferred_; }
    u32 sampled() const { return sampled_; }

private:
    bool is_readable() const;
    u32 rows() const;
    PhysAddr take(u32 bytes);
    void see(std::string_view kind);
    void transfer();
    void sample();

    LockstepBackend& lockstep_;
    Coverage& coverage_; // counts which formats were read after draws of which output class
    PhysAddr ring_;
    u32 ring_bytes_;
    u32 used_ = 0;
    RenderTarget picture_; // target of the last draw that writes colour
    bool has_picture_ = false;
    u32 output_classes_ = 0; // bit n: the picture contains a draw of OutputClass n
    u32 transferred_ = 0, sampled_ = 0;
};

} // namespace tests
