// SPDX-License-Identifier: MIT
#include "pica/soft/draws_in_flight.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <exception>
#include <utility>

namespace pica::soft
{

namespace
{

// Of triangles in flight; more if one draw needs more. Much more would not stay in the second-level cache.
constexpr std::size_t kStorageWords = std::size_t{1} << 18;
// Threads that are awake get small draws together, so that they do not meet at the lock for each.
constexpr s64 kPixelsWorthPublishing = 4000;
constexpr u32 kBandsPerThread = 6;
// How often a thread that has nothing to do looks again before it sleeps: about 200 microseconds. Waking it takes
// about as long.
constexpr u32 kLooks = 400;

bool same_memory(const RenderTarget& a, const RenderTarget& b)
{
    return a.color_address == b.color_address && a.depth_address == b.depth_address && a.width == b.width &&
           a.height == b.height && a.color_format == b.color_format && a.depth_format == b.depth_format &&
           a.block32 == b.block32;
}

// Of any draw to the target: this one may leave depth alone.
u32 bytes_of_depth(RenderTarget target)
{
    target.has_depth = 1;
    return target.depth_bytes();
}

} // namespace

DrawsInFlight::DrawsInFlight(const Options& options) : options_(options)
{
    if (options.threads == 1 || options.finishes_each_draw)
        return;
    // Written once, so that the first frame need not take it from the system.
    storage_ = std::make_unique<u32[]>(kStorageWords);
    storage_words_ = kStorageWords;
}

DrawsInFlight::~DrawsInFlight()
{
    finish();
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_)
        worker.join();
}

DrawsInFlight::Room DrawsInFlight::reserve(const RenderTarget& target, const RecordLayout& layout, u32 count)
{
    const std::size_t words = std::size_t{count} * (layout.words + 6);
    // Where colour and depth share bytes, bands do not divide memory. A draw uses only one of the two then.
    const PhysAddr color = target.color_address;
    const PhysAddr depth = target.depth_address;
    const bool divides = !overlap(color, target.color_bytes(), depth, bytes_of_depth(target));
    const bool fits = used_ + words <= storage_words_;
    if (!is_idle() && (!divides || !fits || !same_memory(target, target_)))
        finish();
    if (is_idle())
    {
        begin_target(target);
        if (words > storage_words_)
        {
            storage_words_ = 0;
            storage_ = std::make_unique_for_overwrite<u32[]>(std::max(words, kStorageWords));
            storage_words_ = std::max(words, kStorageWords);
        }
    }
    if (prepared_ - published_ >= kMaxWorks / 2)
        publish();
    {
        std::unique_lock lock(mutex_);
        while (prepared_ - oldest() >= kMaxWorks)
            help_or_wait(lock);
    }
    u32* const at = storage_.get() + used_;
    room_triangles_ = count;
    record_words_ = layout.words;
    room_ = {at, reinterpret_cast<s32*>(at + std::size_t{count} * layout.words)};
    return room_;
}

void DrawsInFlight::begin_target(const RenderTarget& target)
{
    target_ = target;
    const auto bytes = [](PhysAddr address, u64 size) { return AddressSpan{address, address + size}; };
    written_ = {bytes(target.color_address, target.color_bytes()),
                bytes(target.depth_address, bytes_of_depth(target))};
    height_ = target.height;
    const u32 bands = std::min(options_.threads * kBandsPerThread, kMaxBands);
    const u32 rows = std::max((target.height + bands - 1) / bands, 1u);
    band_rows_ = static_cast<s32>((rows + 7) & ~7u);
    band_count_ = (target.height + static_cast<u32>(band_rows_) - 1) / static_cast<u32>(band_rows_);
}

DrawsInFlight::Rows DrawsInFlight::add(const PixelPlan& plan)
{
    std::unique_ptr<Triangles>& place = works_[prepared_ % kMaxWorks];
    if (!place)
        place = std::make_unique<Triangles>();
    Triangles& work = *place;
    work.triangles = {room_.records, room_.positions, record_words_};
    const Rows rows = sort_into_bands(plan, work, room_triangles_);
    if (rows.begin >= rows.end)
        return rows;
    const bool alone =
        options_.threads == 1 || (options_.finishes_each_draw && is_idle() && pixels_ < kPixelsWorthThreads);
    if (alone)
    {
        options_.raster(plan, work.triangles, nullptr, room_triangles_, 0, height_);
        return rows;
    }
    work.plan = plan;
    used_ += std::size_t{room_triangles_} * (record_words_ + 6);
    ++prepared_;
    pixels_not_published_ += pixels_;
    if (pixels_not_published_ >= kPixelsWorthPublishing)
        publish();
    return rows;
}

DrawsInFlight::Rows DrawsInFlight::sort_into_bands(const PixelPlan& plan, Triangles& work, u32 count)
{
    triangle_bands_.resize(std::max<std::size_t>(triangle_bands_.size(), count));
    std::fill_n(work.band_begin.begin(), band_count_ + 1, 0u);
    work.bands = 0;
    pixels_ = 0;
    Rows rows{height_, 0};
    for (u32 i = 0; i < count; ++i)
    {
        const PixelRect r = triangle_bounds(plan, work.triangles.positions + std::size_t{6} * i);
        triangle_bands_[i] = {1, 0};
        if (r.x1 >= r.x2 || r.y1 >= r.y2)
            continue;
        pixels_ += about_covered(r);
        rows = {std::min(rows.begin, r.y1), std::max(rows.end, r.y2)};
        const TriangleBands bands = {static_cast<u8>(r.y1 / band_rows_),
                                     static_cast<u8>((r.y2 - 1) / band_rows_)};
        triangle_bands_[i] = bands;
        for (u32 band = bands.first; band <= bands.last; ++band)
            ++work.band_begin[band + 1];
    }
    for (u32 band = 0; band < band_count_; ++band)
    {
        work.bands |= static_cast<u32>(work.band_begin[band + 1] != 0) << band;
        work.band_begin[band + 1] += work.band_begin[band];
    }
    work.order.resize(std::max<std::size_t>(work.order.size(), work.band_begin[band_count_]));
    std::array<u32, kMaxBands> at;
    std::copy_n(work.band_begin.begin(), band_count_, at.begin());
    for (u32 i = 0; i < count; ++i)
        for (u32 band = triangle_bands_[i].first; band <= triangle_bands_[i].last; ++band)
            work.order[at[band]++] = i;
    return rows;
}

// Lets threads take what was added, and wakes them as soon as there is enough.
void DrawsInFlight::publish()
{
    {
        const std::lock_guard lock(mutex_);
        for (; published_ != prepared_; ++published_)
        {
            const u32 bands = works_[published_ % kMaxWorks]->bands;
            for (u32 fresh = bands & ~(wanted_ | busy_); fresh != 0; fresh &= fresh - 1)
                next_[static_cast<u32>(std::countr_zero(fresh))] = published_;
            wanted_ |= bands;
        }
        ++changes_;
    }
    pixels_not_offered_ += std::exchange(pixels_not_published_, 0);
    if (pixels_not_offered_ < kPixelsWorthThreads)
        return;
    pixels_not_offered_ = 0;
    start_workers();
    wake_sleepers();
}

void DrawsInFlight::start_workers()
{
    try
    {
        for (u32 thread = static_cast<u32>(workers_.size()) + 1; thread < options_.threads; ++thread)
            workers_.emplace_back([this, thread] { work(thread); });
    }
    catch (const std::exception&)
    {
        // The host has no more threads, or no memory for them, so the existing ones do the work.
    }
}

void DrawsInFlight::wake_sleepers()
{
    bool sleep = false;
    {
        const std::lock_guard lock(mutex_);
        sleep = sleeping_ != 0;
    }
    if (sleep)
        wake_.notify_all();
}

void DrawsInFlight::finish()
{
    if (is_idle())
        return;
    publish();
    std::unique_lock lock(mutex_);
    while ((wanted_ | busy_) != 0)
        help_or_wait(lock);
    used_ = 0;
    prepared_ = published_ = 0;
    pixels_not_offered_ = 0;
}

bool DrawsInFlight::writes(PhysAddr address, u64 size) const
{
    return !is_idle() && std::any_of(written_.begin(), written_.end(),
                                     [&](const AddressSpan& written)
                                     { return address < written.end && written.begin < address + size; });
}

// The first work that some band lacks.
u64 DrawsInFlight::oldest() const
{
    u64 first = published_;
    for (u32 open = wanted_ | busy_; open != 0; open &= open - 1)
        first = std::min(first, next_[static_cast<u32>(std::countr_zero(open))]);
    return first;
}

// Takes the band that is furthest behind, with everything it lacks.
bool DrawsInFlight::claim(Claim& claim)
{
    const u32 free = wanted_ & ~busy_;
    if (free == 0)
        return false;
    claim = {0, published_, published_};
    for (u32 rest = free; rest != 0; rest &= rest - 1)
    {
        const u32 band = static_cast<u32>(std::countr_zero(rest));
        if (next_[band] < claim.begin)
            claim = {band, next_[band], published_};
    }
    wanted_ &= ~(1u << claim.band);
    busy_ |= 1u << claim.band;
    return true;
}

void DrawsInFlight::draw(const Claim& claim, std::unique_lock<std::mutex>& lock)
{
    lock.unlock();
    const s32 begin = static_cast<s32>(claim.band) * band_rows_;
    const s32 end = std::min(begin + band_rows_, height_);
    for (u64 n = claim.begin; n != claim.end; ++n)
    {
        const Triangles& work = *works_[n % kMaxWorks];
        const u32 first = work.band_begin[claim.band];
        const u32 count = work.band_begin[claim.band + 1] - first;
        if (count != 0)
            options_.raster(work.plan, work.triangles, work.order.data() + first, count, begin, end);
    }
    lock.lock();
    busy_ &= ~(1u << claim.band);
    next_[claim.band] = claim.end;
    ++changes_;
    if (caller_waits_)
        done_.notify_one();
}

// Lets go of the lock and looks whether anything changes. False: nothing has for a while.
bool DrawsInFlight::look_around(std::unique_lock<std::mutex>& lock) const
{
    const u32 seen = changes_;
    lock.unlock();
    bool changed = false;
    for (u32 look = 0; look < kLooks && !changed; ++look)
    {
        std::this_thread::yield();
        changed = changes_ != seen;
    }
    lock.lock();
    return changed;
}

// What the caller does while it can't go on: it draws a band, or waits until another thread has drawn one.
void DrawsInFlight::help_or_wait(std::unique_lock<std::mutex>& lock)
{
    Claim mine;
    if (claim(mine))
        return draw(mine, lock);
    if (look_around(lock))
        return;
    caller_waits_ = true;
    done_.wait(lock, [&] { return (wanted_ & ~busy_) != 0 || busy_ == 0; });
    caller_waits_ = false;
}

void DrawsInFlight::take_parts(const WorkSharer::Work& work, u32 thread)
{
    try
    {
        for (u32 part = next_part_++; part < work.parts; part = next_part_++)
            work.job(work.context, part, thread);
    }
    catch (...)
    {
        next_part_ = work.parts; // nobody needs the rest
        const std::lock_guard lock(mutex_);
        if (!failure_)
            failure_ = std::current_exception();
    }
}

void DrawsInFlight::share(const WorkSharer::Work& work)
{
    if (work.wakes && work.parts > 1)
        start_workers();
    if (workers_.empty() || work.parts < 2)
    {
        for (u32 part = 0; part < work.parts; ++part)
            work.job(work.context, part, 0);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        shared_ = work;
        next_part_ = 0;
        ++changes_;
    }
    if (work.wakes)
        wake_sleepers();
    take_parts(work, 0);
    std::unique_lock lock(mutex_);
    shared_.job = nullptr;
    while (sharing_ != 0)
    {
        if (look_around(lock))
            continue;
        caller_waits_ = true;
        done_.wait(lock, [&] { return sharing_ == 0; });
        caller_waits_ = false;
    }
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
}

void DrawsInFlight::work(u32 thread)
{
    // Not what the host had set while it made the call that started the thread.
    std::fesetenv(FE_DFL_ENV);
    std::unique_lock lock(mutex_);
    while (!stop_)
    {
        if (has_parts())
        {
            const WorkSharer::Work mine = shared_;
            ++sharing_;
            lock.unlock();
            take_parts(mine, thread);
            lock.lock();
            --sharing_;
            ++changes_;
            if (caller_waits_)
                done_.notify_one();
            continue;
        }
        Claim mine;
        if (claim(mine))
        {
            draw(mine, lock);
            continue;
        }
        if (look_around(lock))
            continue;
        ++sleeping_;
        wake_.wait(lock, [&] { return stop_ || has_parts() || (wanted_ & ~busy_) != 0; });
        --sleeping_;
    }
}

} // namespace pica::soft
