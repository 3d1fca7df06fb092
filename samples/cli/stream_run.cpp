// SPDX-License-Identifier: MIT
#include "samples/cli/stream_run.h"

#include "samples/cli/playback.h"
#include "samples/cli/results.h"
#include "samples/cli/run_end.h"
#include "samples/cli/worker_processes.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace samples
{

namespace
{

class Runner
{
public:
    explicit Runner(const StreamRun& run) : run_(run) {}

    StreamRunResult run()
    {
        const std::size_t count = run_.streams.size();
        show_streams(progress_, 0, count, "");
        if (run_.jobs <= 1 || count <= 1)
        {
            for (std::size_t i = 0; i < count && take(i, run_.work(i)); ++i)
                ;
        }
        else
        {
            run_children();
        }
        progress_.clear();
        add_streams_not_run();
        StreamRunResult result;
        result.exit_code = device_failed_ ? kExitFailed : exit_code_;
        result.document = results_document(run_.verb, run_.shard, run_.list, std::move(found_));
        if (run_.json)
            std::printf("%s\n", result.document.dump(2).c_str());
        return result;
    }

private:
    void run_children()
    {
        ProcessWork work;
        work.count = run_.streams.size();
        work.jobs = run_.jobs;
        work.work = [this](std::size_t i) { return run_.work(i).dump(); };
        work.done = [this](std::size_t i, const pica::Result<std::string>& text)
        {
            StreamOutcome outcome = text ? StreamOutcome::parse(*text, nullptr, false) : StreamOutcome();
            const std::string& path = run_.streams[i];
            if (!outcome.is_object())
                outcome = stream_error(stream_name(path), path, kExitFailed,
                                       path + ": " + (text ? "no result" : text.error().message));
            return take(i, std::move(outcome));
        };
        run_in_processes(work);
    }

    // Returns whether to go on.
    bool take(std::size_t i, StreamOutcome outcome)
    {
        progress_.clear();
        const bool is_error = outcome.at("result") == "error";
        const int exit_code = outcome.at("exit_code").get<int>();
        if (is_error && exit_code == kExitFailed)
            failed(outcome.at("message").get<std::string>());
        else if (is_error)
            bad_input(outcome.at("message").get<std::string>());
        else if (!run_.json)
            run_.print(outcome);
        std::fflush(stdout);
        exit_code_ = std::max(exit_code_, exit_code);
        device_failed_ |= is_error && exit_code == kExitFailed;
        const bool stop = outcome.value("stop", false);
        if (stop)
            stopped_by_ = run_.streams[i];
        outcome.erase("stop");
        outcome.erase("exit_code");
        show_streams(progress_, i + 1, run_.streams.size(), outcome.at("stream"));
        found_.push_back(std::move(outcome));
        return !stop;
    }

    // Of the streams after one that stopped the run. The reason was printed once.
    void add_streams_not_run()
    {
        for (std::size_t i = found_.size(); i < run_.streams.size(); ++i)
        {
            const std::string& path = run_.streams[i];
            StreamOutcome outcome =
                stream_error(stream_name(path), path, exit_code_,
                             path + ": was not run: what stopped " + stopped_by_ + " would stop it as well");
            outcome.erase("exit_code");
            found_.push_back(std::move(outcome));
        }
    }

    const StreamRun& run_;
    Progress progress_;
    std::string stopped_by_;
    nlohmann::ordered_json found_ = nlohmann::ordered_json::array();
    int exit_code_ = kExitSuccess;
    bool device_failed_ = false;
};

} // namespace

StreamOutcome stream_error(const std::string& name, const std::string& path, int exit_code,
                           const std::string& message)
{
    return {{"stream", name},
            {"path", path},
            {"result", "error"},
            {"message", message},
            {"exit_code", exit_code}};
}

void StreamRun::take_part(const std::vector<std::string>& all, const Shard& part)
{
    streams = part.part_of(all);
    list = stream_list(all);
    shard = part;
}

StreamRunResult run_streams(const StreamRun& run)
{
    return Runner(run).run();
}

} // namespace samples
