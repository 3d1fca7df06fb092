// SPDX-License-Identifier: MIT
// Reads what was drawn without passing through guest memory: pictures that the renderer holds as images also
// become textures and inputs of transfers as they are. Each picture that is complete (another target follows,
// or the end) goes through a display transfer to RGBA8 words, and at the end through a draw that samples it.
// What comes out lies in a ring of memory that is compared when it is full.
#pragma once

#include "pica/command/lockstep.h"
#include "tests/support/coverage.h"
#include "tests/support/draw_scene.h"

namespace tests
{

class PictureReader
{
public:
    static constexpr u32 kOutputClasses = 5; // coverage counts format * kOutputClasses + OutputClass
    // The ring: a multiple of 64.
    PictureReader(LockstepBackend& lockstep, Coverage& coverage, PhysAddr ring, u32 ring_bytes)
        : lockstep_(lockstep), coverage_(coverage), ring_(ring), ring_bytes_(ring_bytes)
    {
    }

    // To be called before the backends get the draw.
    void before(const Draw& draw);
    // The seed's last picture.
    void finish();
    // Pictures that came out.
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
    Coverage& coverage_; // which formats were read after draws of which output class
    PhysAddr ring_;
    u32 ring_bytes_;
    u32 used_ = 0;
    RenderTarget picture_; // of the last draw that writes colour
    bool has_picture_ = false;
    u32 output_classes_ = 0; // bit n: a draw of OutputClass n is in the picture
    u32 transferred_ = 0, sampled_ = 0;
};

} // namespace tests
