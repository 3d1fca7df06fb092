// SPDX-License-Identifier: MIT
// DrawsInFlight: triangles that wait to be rasterised. The caller adds those of one draw after the other and goes on with
// its own work, such as the vertices of the next draw. Threads take the triangles, one band of the target's rows at a
// time. Within a band, triangles are drawn in the order in which they were added, so every pixel gets the same bytes as
// from one thread. All draws in flight have the same target. Tests: draws_in_flight_test.cpp.
#pragma once

#include "pica/memory/address_span.h"
#include "pica/soft/raster.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace pica::soft
{

class DrawsInFlight
{
public:
    struct Options
    {
        RasterFunction raster = nullptr;
        u32 threads = 1; // that rasterise, the caller included. 1: triangles are drawn when they are added
        // Triangles are as a rule finished right after they were added: few pixels are not worth other threads.
        bool finishes_each_draw = true;
    };
    // Starts no thread before there is enough work for one.
    explicit DrawsInFlight(const Options& options);
    ~DrawsInFlight();
    DrawsInFlight(const DrawsInFlight&) = delete;
    DrawsInFlight& operator=(const DrawsInFlight&) = delete;

    // Room for triangles in the form that VertexStage::emit writes, until add().
    struct Room
    {
        u32* records;
        s32* positions;
    };
    // Works and waits while there is no room, and until draws to other targets are finished. count: at least 1.
    Room reserve(const RenderTarget& target, const RecordLayout& layout, u32 count);

    // The memory rows that triangles touch; none if begin is not below end.
    struct Rows
    {
        s32 begin, end;
    };
    // Adds the triangles in the room. What the plan points at must stay as it is until finish().
    Rows add(const PixelPlan& plan);

    // Works until everything that was added is drawn, and waits for the other threads.
    void finish();
    bool is_idle() const { return added_since_idle_ == 0; }
    // Do draws in flight write to a page of this range? (Caches ask whole pages whether they have changed.)
    bool writes_near(PhysAddr address, u64 size) const;

private:
    static constexpr u32 kMaxBands = 32;
    static constexpr u32 kMaxWorks = 64;

    // The triangles of a draw, or some of them.
    struct Work
    {
        PixelPlan plan;
        TriangleList triangles;
        std::vector<u32> order; // numbers of triangles: those that touch band 0, then those of band 1
        std::array<u32, kMaxBands + 1> band_begin; // in order
        u32 bands = 0;                             // bit n: some triangle touches band n
    };
    // A band with the works [begin, end) that it lacks. Only one thread has a band at a time.
    struct Claim
    {
        u32 band = 0;
        u64 begin = 0, end = 0;
    };
    struct TriangleBands
    {
        u8 first, last; // first > last: the triangle touches nothing
    };

    void begin_target(const RenderTarget& target);
    Rows sort_into_bands(Work& work, u32 count);
    void publish(const Work& work);
    void offer(s64 pixels);
    bool claim(Claim& claim);
    void draw(const Claim& claim, std::unique_lock<std::mutex>& lock);
    void help_or_wait(std::unique_lock<std::mutex>& lock);
    bool look_around(std::unique_lock<std::mutex>& lock) const;
    u64 oldest() const;
    void work();

    const Options options_;

    // Only the caller's.
    std::vector<std::thread> workers_;
    std::vector<u32> storage_; // records and positions of what is in flight
    std::size_t used_ = 0;     // words of it
    Room room_{};
    u32 room_triangles_ = 0;
    u32 record_words_ = 0;
    u64 added_since_idle_ = 0;
    s64 pixels_not_offered_ = 0; // about how many have been added since workers were woken
    std::vector<TriangleBands> triangle_bands_;
    s64 pixels_ = 0; // about how many the triangles that were sorted last cover
    RenderTarget target_;
    std::array<AddressSpan, 2> written_; // by draws to the target: whole pages

    // Changed only while nothing is in flight.
    s32 height_ = 0;
    s32 band_rows_ = 8;

    std::array<Work, kMaxWorks> works_; // work n is in place n % kMaxWorks until all bands have it

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    // Guarded by mutex_.
    u64 added_ = 0;                     // works so far
    std::array<u64, kMaxBands> next_{}; // the first work that a band lacks, if it is wanted or busy
    u32 wanted_ = 0;                    // bands that lack triangles
    u32 busy_ = 0;                      // bands that a thread has
    u32 sleeping_ = 0;                  // workers that wait to be woken
    bool caller_waits_ = false;
    bool stop_ = false;
    std::atomic<u32> changes_{0}; // counts what those who look around look for
};

} // namespace pica::soft
