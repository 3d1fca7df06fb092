// SPDX-License-Identifier: MIT
#include "samples/cli/golden/comparison.h"

#include "samples/cli/golden/base64.h"
#include "samples/cli/golden/bisection.h"
#include "samples/cli/golden/content_hash.h"
#include "samples/cli/golden/png_bytes.h"
#include "samples/cli/run_end.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace samples
{

namespace
{

// A picture, or only its hash.
struct Shown
{
    std::optional<Picture> picture;
    std::string hash;
};

// The pictures of one side, in the order of the frames.
class Reader
{
public:
    Reader(const PictureSource& source, const ComparisonOptions& options, pica::Report& report)
        : source_(source), options_(options), report_(report)
    {
    }

    pica::Status open(const std::string& name, renderer::CreateFailure* failure)
    {
        if (source_.recording.empty())
            return {};
        trace_ = source_.trace;
        if (!trace_)
        {
            pica::Result<pica::Trace> trace = open_stream(source_.recording);
            if (!trace)
                return trace.error();
            trace_ = std::make_shared<const pica::Trace>(std::move(*trace));
        }
        PlaybackOptions options = options_.playback;
        options.vulkan.cache.title = name;
        auto playback = Playback::create(*trace_, options, report_, failure);
        if (!playback)
            return pica::Error{source_.recording + ": " + playback.error().message};
        playback_ = std::move(*playback);
        return {};
    }

    // The frames that a list of files or hashes has.
    void add_frames(std::set<pica::u32>& frames) const
    {
        for (const auto* pictures : {&source_.files, &source_.hashes})
            for (const auto& [key, text] : *pictures)
                frames.insert(key.frame);
    }
    bool is_recording() const { return playback_ != nullptr; }
    pica::u32 frames_of_recording() const { return trace_ ? trace_->frames() : 0; }
    bool is_truncated() const { return trace_ && trace_->is_truncated(); }

    // Plays on to this frame. Afterwards keys() are its pictures.
    pica::Status seek(pica::u32 frame)
    {
        while (playback_ && !at_end_ && playback_->frames() <= frame)
        {
            at_end_ = !playback_->step_frame();
            if (!at_end_)
                playback_->finish_frame();
            if (const pica::Status device = playback_->status(); !device)
                return device;
        }
        return {};
    }
    bool at_end() const { return at_end_; }
    std::vector<PictureKey> keys(pica::u32 frame) const
    {
        std::vector<PictureKey> keys;
        if (playback_ && !at_end_)
            for (const pica::Screen screen : playback_->screens())
                keys.push_back({frame, screen_name(screen)});
        for (const auto* pictures : {&source_.files, &source_.hashes})
            for (const auto& [key, text] : *pictures)
                if (!playback_ && key.frame == frame)
                    keys.push_back(key);
        std::ranges::sort(keys);
        return keys;
    }
    pica::Result<Shown> read(const PictureKey& key)
    {
        if (playback_)
        {
            for (const pica::Screen screen : playback_->screens())
                if (key.screen == screen_name(screen))
                    return hashed(playback_->screen(screen));
        }
        else if (const auto file = source_.files.find(key); file != source_.files.end())
        {
            auto picture = read_png(file->second);
            if (!picture)
                return picture.error();
            return hashed(std::move(*picture));
        }
        else if (const auto hash = source_.hashes.find(key); hash != source_.hashes.end())
        {
            return Shown{{}, hash->second};
        }
        return pica::Error{key.text() + " is not there"};
    }

private:
    static Shown hashed(Picture picture)
    {
        std::string hash = picture_hash(picture);
        return {std::move(picture), std::move(hash)};
    }

    const PictureSource& source_;
    const ComparisonOptions& options_;
    pica::Report& report_;
    std::shared_ptr<const pica::Trace> trace_;
    std::unique_ptr<Playback> playback_;
    bool at_end_ = false;
};

std::string encoded(const Picture& picture)
{
    const auto bytes = encode_png(picture);
    return bytes ? base64(*bytes) : std::string();
}

// Where they differ: brightly, by how much; elsewhere A, darkly.
Picture difference_picture(const Picture& a, const Picture& b)
{
    Picture result = a;
    for (std::size_t i = 0; i < a.rgba.size(); i += 4)
    {
        int most = 0;
        for (std::size_t c = 0; c < 4; ++c)
            most = std::max(most, std::abs(int(a.rgba[i + c]) - int(b.rgba[i + c])));
        const int gray = (a.rgba[i] + a.rgba[i + 1] + a.rgba[i + 2]) / 24;
        const auto dark = static_cast<pica::u8>(gray);
        result.rgba[i] = most != 0 ? 255 : dark;
        result.rgba[i + 1] = most != 0 ? static_cast<pica::u8>(std::min(255, most * 2)) : dark;
        result.rgba[i + 2] = most != 0 ? 0 : dark;
        result.rgba[i + 3] = 255;
    }
    return result;
}

StreamOutcome describe(const PictureKey& key, const Shown& a, const Shown& b)
{
    StreamOutcome json = {
        {"frame", key.frame}, {"screen", key.screen}, {"expected_hash", a.hash}, {"actual_hash", b.hash}};
    if (!a.picture || !b.picture)
        return json;
    const Picture& x = *a.picture;
    const Picture& y = *b.picture;
    json["expected_size"] = {x.width, x.height};
    json["actual_size"] = {y.width, y.height};
    if (x.width != y.width || x.height != y.height)
        return json;
    pica::u64 pixels = 0;
    int largest = 0;
    for (std::size_t i = 0; i < x.rgba.size(); i += 4)
    {
        if (std::equal(&x.rgba[i], &x.rgba[i] + 4, &y.rgba[i]))
            continue;
        if (pixels++ == 0)
            json["first_pixel"] = {i / 4 % x.width, i / 4 / x.width};
        for (std::size_t c = 0; c < 4; ++c)
            largest = std::max(largest, std::abs(int(x.rgba[i + c]) - int(y.rgba[i + c])));
    }
    json["pixels"] = pixels;
    json["largest_difference"] = largest;
    return json;
}

class Comparison
{
public:
    Comparison(const PictureSource& a, const PictureSource& b, const ComparisonOptions& options,
               pica::Report& report)
        : options_(options), a_(a, options, report), b_(b, options, report)
    {
    }

    pica::Status run(const std::string& name, renderer::CreateFailure* failure)
    {
        for (Reader* side : {&a_, &b_})
            if (pica::Status opened = side->open(name, failure); !opened)
                return opened;
        std::set<pica::u32> frames;
        a_.add_frames(frames);
        b_.add_frames(frames);
        const bool files_only = !a_.is_recording() && !b_.is_recording();
        pica::u32 frame = files_only && !frames.empty() ? *frames.begin() : 0;
        for (;;)
        {
            for (Reader* side : {&a_, &b_})
                if (pica::Status played = side->seek(frame); !played)
                {
                    *failure = renderer::CreateFailure::DeviceFailed;
                    return played;
                }
            if (pica::Status compared = compare_frame(frame); !compared)
                return compared;
            frames.erase(frame);
            if (options_.on_progress)
                options_.on_progress(
                    frames_done(name, frame + 1,
                                std::max({frame + 1, a_.frames_of_recording(), b_.frames_of_recording()})));
            const bool playing = (a_.is_recording() && !a_.at_end()) || (b_.is_recording() && !b_.at_end());
            // Of a partial comparison with files, only the frames that are expected.
            if (playing && (!options_.partial || a_.is_recording()))
                ++frame;
            else if (!frames.empty())
                frame = *frames.begin();
            else
                break;
        }
        if (compared_ == 0 && !differs)
            return pica::Error{name + ": there are no pictures to compare"};
        return {};
    }

    bool differs = false;

    void finish(StreamOutcome& json)
    {
        json["pictures"] = compared_;
        json["is_truncated"] = a_.is_truncated() || b_.is_truncated();
        if (!differing_.empty())
            json["differing"] = std::move(differing_);
        if (!missing_.empty())
            json["missing"] = std::move(missing_);
        if (!extra_.empty())
            json["extra"] = std::move(extra_);
    }

private:
    pica::Status compare_frame(pica::u32 frame)
    {
        const std::vector<PictureKey> expected = a_.keys(frame), actual = b_.keys(frame);
        std::set<PictureKey> all(expected.begin(), expected.end());
        all.insert(actual.begin(), actual.end());
        for (const PictureKey& key : all)
        {
            const bool in_a = std::ranges::find(expected, key) != expected.end();
            const bool in_b = std::ranges::find(actual, key) != actual.end();
            if (in_a && in_b)
            {
                if (pica::Status compared = compare_picture(key); !compared)
                    return compared;
            }
            else if (in_a || !options_.partial)
            {
                (in_a ? missing_ : extra_).push_back(key.text());
                differs = true;
            }
        }
        return {};
    }

    pica::Status compare_picture(const PictureKey& key)
    {
        const pica::Result<Shown> x = a_.read(key), y = b_.read(key);
        if (!x)
            return x.error();
        if (!y)
            return y.error();
        ++compared_;
        if (x->hash == y->hash)
            return {};
        differs = true;
        StreamOutcome found = describe(key, *x, *y);
        if (options_.with_pictures && differing_.size() < options_.most_pictures)
        {
            if (x->picture)
                found["expected"] = encoded(*x->picture);
            if (y->picture)
                found["actual"] = encoded(*y->picture);
            if (found.contains("pixels"))
                found["difference"] = encoded(difference_picture(*x->picture, *y->picture));
        }
        differing_.push_back(std::move(found));
        return {};
    }

    const ComparisonOptions& options_;
    Reader a_, b_;
    pica::u64 compared_ = 0;
    StreamOutcome differing_ = StreamOutcome::array();
    StreamOutcome missing_ = StreamOutcome::array(), extra_ = StreamOutcome::array();
};

// What can be bisected of a source: its digest, or its recording.
std::string bisected(const PictureSource& source)
{
    return source.digest.empty() ? source.recording : source.digest;
}

pica::Result<Side> open_side(const PictureSource& source, const SideOptions& options, pica::Report& report)
{
    if (source.digest.empty() && source.trace)
        return Side::of_recording(source.recording, source.trace, options, report);
    return Side::open(bisected(source), options, report);
}

pica::Result<StreamOutcome> bisect_sources(const PictureSource& a, const PictureSource& b,
                                           const ComparisonOptions& options, pica::Report& report)
{
    SideOptions sides;
    sides.vulkan = options.playback.vulkan;
    sides.vulkan.scale = options.playback.scale;
    sides.on_progress = options.on_progress;
    if (options.playback.backend == BackendChoice::Vulkan)
        sides.backend = BackendChoice::Vulkan;
    auto x = open_side(a, sides, report), y = open_side(b, sides, report);
    if (!x)
        return x.error();
    if (!y)
        return y.error();
    return bisect({std::move(*x), std::move(*y)}, nullptr);
}

} // namespace

StreamOutcome compare_stream(const std::string& name, const PictureSource& a, const PictureSource& b,
                             const ComparisonOptions& options, pica::Report& report)
{
    const auto start = std::chrono::steady_clock::now();
    const std::string path = b.recording.empty() ? name : b.recording;
    Comparison comparison(a, b, options, report);
    renderer::CreateFailure failure{};
    if (const pica::Status done = comparison.run(name, &failure); !done)
    {
        const bool device = failure == renderer::CreateFailure::DeviceFailed;
        return stream_error(name, path, device ? kExitFailed : kExitBadInput, done.error().message);
    }
    const char* const result = comparison.differs ? "different" : "equal";
    StreamOutcome json = {{"stream", name}, {"path", path}, {"result", result}};
    comparison.finish(json);
    if (comparison.differs && !bisected(a).empty() && !bisected(b).empty())
    {
        if (auto found = bisect_sources(a, b, options, report))
            json["bisection"] = std::move(*found);
        else
            json["no_bisection"] = found.error().message;
    }
    json["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    json["exit_code"] = comparison.differs ? kExitDifference : kExitSuccess;
    return json;
}

} // namespace samples
