// SPDX-License-Identifier: MIT
// DrawsInFlight: triangles that wait to be rasterised. The caller adds those of one draw after the other and goes on with
// its own work, such as the vertices of the next draw. Threads take the triangles, one band of the target's rows at a
// time. Within a band, triangles are drawn in the order in which they were added, so every pixel gets the same bytes as
// from one thread. All draws in flight have the same target. Threads that have no triangles do parts of other work that the
// caller shares. Tests: draws_in_flight_test.cpp.
#pragma once

#include "pica/base/work_sharer.h"
#include "pica/memory/address_span.h"
#include "pica/soft/raster.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pica::soft
{

class DrawsInFlight final : public WorkSharer
{
public:
    struct Options
    {
        RasterFunction raster = nullptr;
        u32 threads = 1; // that rasterise, the caller included. 1: triangles are drawn when they are added
        // Triangles are as a rule finished right after they were added: few pixels are not worth other threads.
        bool finishes_each_draw = true;
    };
    // With fewer pixels (about_covered), waking threads costs more than it saves.
    static constexpr s64 kPixelsWorthThreads = 12000;

    // Starts no thread before there is enough work for one.
    explicit DrawsInFlight(const Options& options);
    ~DrawsInFlight() override;
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
    bool is_idle() const { return prepared_ == 0; }
    // May draws in flight write to this range?
    bool writes(PhysAddr address, u64 size) const;

    // Parts of work that does not read what draws in flight write. Threads take them before triangles.
    void share(const WorkSharer::Work& work) override;
    u32 threads() const override { return options_.threads; }

private:
    static constexpr u32 kMaxBands = 32;
    static constexpr u32 kMaxWorks = 64;

    // The triangles of a draw, or some of them.
    struct Triangles
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
    Rows sort_into_bands(const PixelPlan& plan, Triangles& work, u32 count);
    void publish();
    void start_workers();
    void wake_sleepers();
    bool claim(Claim& claim);
    void draw(const Claim& claim, std::unique_lock<std::mutex>& lock);
    void help_or_wait(std::unique_lock<std::mutex>& lock);
    bool look_around(std::unique_lock<std::mutex>& lock) const;
    u64 oldest() const;
    void work(u32 thread);
    void take_parts(const WorkSharer::Work& work, u32 thread);
    bool has_parts() const { return shared_.job != nullptr && next_part_ < shared_.parts; }

    const Options options_;

    // Only the caller's.
    std::vector<std::thread> workers_;
    // Records and positions of what is in flight.
    std::unique_ptr<u32[]> storage_;
    std::size_t storage_words_ = 0;
    std::size_t used_ = 0; // words of it
    Room room_{};
    u32 room_triangles_ = 0;
    u32 record_words_ = 0;
    u64 prepared_ = 0;             // works since nothing was in flight, published or not
    s64 pixels_not_published_ = 0; // about how many pixels those have
    s64 pixels_not_offered_ = 0;   // about how many were published since workers were woken
    std::vector<TriangleBands> triangle_bands_;
    s64 pixels_ = 0; // about how many the triangles that were sorted last cover
    RenderTarget target_;
    std::array<AddressSpan, 2> written_; // by draws to the target

    // Changed only while nothing is in flight.
    s32 height_ = 0;
    s32 band_rows_ = 8; // a multiple of 8
    u32 band_count_ = 0;

    // Work n is in place n % kMaxWorks until all bands have it. Made when they are first used, and used from the first one
    // on where nothing is in flight: they are large.
    std::array<std::unique_ptr<Triangles>, kMaxWorks> works_;

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    // Guarded by mutex_.
    u64 published_ = 0;                 // works so far that threads may take; only the caller changes it
    std::array<u64, kMaxBands> next_{}; // the first work that a band lacks, if it is wanted or busy
    u32 wanted_ = 0;                    // bands that lack triangles
    u32 busy_ = 0;                      // bands that a thread has
    u32 sleeping_ = 0;                  // workers that wait to be woken
    bool caller_waits_ = false;
    WorkSharer::Work shared_;    // job null: none
    std::exception_ptr failure_; // of the first part that threw
    u32 sharing_ = 0;            // workers that do parts
    bool stop_ = false;
    std::atomic<u32> next_part_{0}; // of shared_
    std::atomic<u32> changes_{0};   // counts what those who look around look for
};

} // namespace pica::soft
