// SPDX-License-Identifier: MIT
// ScaledWork: what the renderer does besides, at N times the resolution, so that planes are as in the software renderer
// (pica/design.md, "N times the resolution"). It decides which draws the software renderer draws. Tests: the
// suites of tests/conformance at N.
#pragma once

#include "pica/memory/guest_memory.h"

namespace pica
{
struct ByteRange;
struct Carryover;
struct Draw;
class PlaneMemory;
class SoftwareCore;
} // namespace pica

namespace renderer
{

class CollectedDraws;
class Device;
class DevicePlanes;
class HostAccess;
class Residency;
class Stream;
class TextureCache;
struct PreparedDraw;

class ScaledWork
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        pica::GuestMemory& guest;
        DevicePlanes& planes;
        Residency& residency;
        HostAccess& host_access;
        CollectedDraws& collected;
        const TextureCache& textures;
        pica::SoftwareCore& core; // has the planes on the host
    };
    explicit ScaledWork(const Parts& parts) : parts_(parts) {}

    // Before a draw: sets which units are sampled at N x, and whether the software renderer draws it. That draws what
    // samples planes in formats that only the CPU decodes, what is too large for the device's images, and what takes
    // planes from other pages. May flush.
    void begin(const pica::Draw& draw, PreparedDraw& prepared);
    // What a draw that the software renderer does not draw does to planes, whatever it draws.
    void give(const pica::Draw& draw);
    // Before any other operation, whose output may get planes where its input has some. No batch may be open.
    void begin_operation(const pica::ByteRange& input, const pica::ByteRange& output);
    // Before a picture is made. No batch may be open.
    void spread();
    // Another state of guest memory is loaded, which has no planes.
    void forget(const pica::Carryover& carryover);
    // Goes on with the planes of another backend that has worked on the same guest memory (PlaneMemory::take_over).
    void take_planes(const pica::PlaneMemory& planes);
    // The planes, with the newest bytes of a range, as guest memory itself then is there. Submits and waits. Null after a
    // host failure.
    const pica::PlaneMemory* current_planes(const pica::ByteRange& range);

private:
    void make_room(const pica::Draw& draw);
    void make_room(pica::u32 more_pages);

    Parts parts_;
};

} // namespace renderer
