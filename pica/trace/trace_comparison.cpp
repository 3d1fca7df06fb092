// SPDX-License-Identifier: MIT
#include "pica/trace/trace_comparison.h"

#include "pica/command/gpu.h"

#include <utility>

namespace pica
{

namespace
{

// One play of the trace.
class Run
{
public:
    Run(const Trace& trace, BackendPair pair, CompareAt at, Report& report)
        : pair_(std::move(pair)), at_(at),
          lockstep_(*pair_.first, *pair_.second,
                    at == CompareAt::Draw ? LockstepBackend::Compare::EachOperation
                                          : LockstepBackend::Compare::OnRequest),
          gpu_(lockstep_, report), player_(trace, gpu_)
    {
        lockstep_.compare_beside(pair_.compare_beside);
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // Plays one step and compares what is due. Returns false at the end and after a difference.
    bool advance(Step step)
    {
        switch (player_.step(step))
        {
        case StepResult::End:
            return false;
        case StepResult::Frame:
            compare();
            break;
        case StepResult::Draw:
            break;
        default:
            if (at_ == CompareAt::List)
            {
                lockstep_.compare_written();
                found_later_ = true;
                if (!lockstep_.difference())
                    equal_operations_ = lockstep_.operations();
            }
            break;
        }
        if (lockstep_.difference())
            return false;
        frames_ = player_.frame();
        return true;
    }
    // The screens are compared first: reading memory back before could hide a wrong picture.
    void compare()
    {
        if (lockstep_.difference())
            return;
        const std::optional<PlacedDifference> screens =
            pair_.compare_screens ? pair_.compare_screens(gpu_.external()) : std::nullopt;
        lockstep_.compare_all();
        if (screens)
            lockstep_.note_difference(screens->place, screens->values);
        if (lockstep_.difference())
        {
            // Bytes that no operation should touch have not been compared since the last frame.
            equal_operations_ = all_equal_operations_;
            found_later_ = true;
            return;
        }
        equal_operations_ = all_equal_operations_ = lockstep_.operations();
    }

    const Status& status() const { return player_.status(); }
    const LockstepBackend& lockstep() const { return lockstep_; }
    // Number of complete frames; it is also the index of the frame with the difference.
    u32 frames() const { return frames_; }
    // Number of operations at the last comparison that found the backends equal.
    u64 equal_operations() const { return equal_operations_; }
    // Was the difference found by a comparison that covers several operations?
    bool found_later() const { return found_later_; }
    std::vector<std::string> complaints() const
    {
        return pair_.complaints ? pair_.complaints() : std::vector<std::string>{};
    }

private:
    BackendPair pair_;
    CompareAt at_;
    LockstepBackend lockstep_;
    Gpu gpu_;
    TracePlayer player_;
    u32 frames_ = 0;
    u64 equal_operations_ = 0;
    u64 all_equal_operations_ = 0; // likewise, for comparisons of all memory
    bool found_later_ = false;
};

class Comparison
{
public:
    Comparison(const Trace& trace, CompareAt at, const std::function<Result<BackendPair>()>& make,
               Report& report)
        : trace_(trace), at_(at), make_(make), report_(report)
    {
    }

    Result<TraceComparison> run()
    {
        TraceComparison result;
        u64 equal = 0, differing = 0;
        bool narrows = false;
        {
            Result<std::unique_ptr<Run>> first = start(at_);
            if (!first)
                return first.error();
            Run& run = **first;
            while (run.advance(Step::List))
                ;
            run.compare();
            result.frames = run.frames();
            result.draws = run.lockstep().draws();
            result.operations = run.lockstep().operations();
            result.bytes_compared = run.lockstep().bytes_compared();
            result.complaints = run.complaints();
            if (!run.lockstep().difference())
                return result;
            result.difference = {*run.lockstep().difference(), run.frames(), {}};
            equal = run.equal_operations();
            differing = run.lockstep().operations();
            narrows = run.found_later() && differing > equal;
        } // frees the pair's memory before the next pair is made
        if (narrows)
            narrow(*result.difference, equal, differing);
        return result;
    }

private:
    Result<std::unique_ptr<Run>> start(CompareAt at)
    {
        Result<BackendPair> pair = make_();
        if (!pair)
            return pair.error();
        auto run = std::make_unique<Run>(trace_, std::move(*pair), at, report_);
        if (!run->status())
            return run->status().error();
        return run;
    }

    // Plays again up to an operation and compares there. No difference if it cannot be played.
    std::optional<LockstepBackend::Difference> replay(u64 operation, CompareAt at)
    {
        ++replays_;
        Result<std::unique_ptr<Run>> started = start(at);
        if (!started)
        {
            failure_ = started.error().message;
            return std::nullopt;
        }
        Run& run = **started;
        while (run.lockstep().operations() < operation && run.advance(Step::Draw))
            ;
        run.compare();
        return run.lockstep().difference();
    }

    void narrow(TraceDifference& difference, u64 equal, u64 differing)
    {
        const char* const end = at_ == CompareAt::List ? "list" : "frame";
        std::optional<LockstepBackend::Difference> last = replay(differing, at_);
        if (!last)
        {
            difference.narrowing = std::string("found at the end of the ") + end;
            difference.narrowing +=
                failure_.empty()
                    ? std::string(
                          ", but not again when the stream was played again and compared right after "
                          "the last operation: it depends on timing, or on what follows that operation")
                    : "; the stream cannot be played again: " + failure_;
            return;
        }
        const auto differs = [&](u64 operation)
        {
            std::optional<LockstepBackend::Difference> now = replay(operation, at_);
            if (now)
                last = now;
            return now.has_value();
        };
        const u64 found = first_differing_operation(equal, differing, differs);
        difference.what = *last;
        difference.narrowing = std::string("narrowed down from the end of the ") + end +
                               " by playing the stream again, " + std::to_string(replays_) + " times";
        if (at_ != CompareAt::Draw && !replay(found, CompareAt::Draw))
            difference.narrowing += "; compared after every operation, nothing differs: the difference takes "
                                    "what a backend keeps while its memory is not read";
    }

    const Trace& trace_;
    CompareAt at_;
    const std::function<Result<BackendPair>()>& make_;
    Report& report_;
    u32 replays_ = 0;
    std::string failure_;
};

} // namespace

Result<TraceComparison> compare_trace(const Trace& trace, CompareAt at,
                                      const std::function<Result<BackendPair>()>& make, Report& report)
{
    return Comparison(trace, at, make, report).run();
}

} // namespace pica
