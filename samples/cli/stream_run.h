// SPDX-License-Identifier: MIT
// Does one thing with each of many streams: here or in child processes, for one shard, with an exit code for all and one
// JSON object. Tests: tests/cli/validate_many_test.cpp.
#pragma once

#include "samples/cli/results.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace samples
{

// What came of one stream: an object with "stream", "result" (equal, different or error; verbs that compare nothing say
// done) and "exit_code"; "stop" is true where no other stream would fare better. Errors have a "message".
using StreamOutcome = nlohmann::ordered_json;
// name, path: of the stream. message: one line that names the file.
StreamOutcome stream_error(const std::string& name, const std::string& path, int exit_code,
                           const std::string& message);

struct StreamRun
{
    std::string verb;
    // list: paths or names of all shards.
    void take_part(const std::vector<std::string>& all, const Shard& part);

    std::vector<std::string> streams; // those of the shard
    StreamList list;                  // of all shards
    Shard shard;
    pica::u32 jobs = 1;
    bool json = false; // print the JSON object instead of what `print` prints
    std::function<StreamOutcome(std::size_t index)> work;
    // Prints an outcome that is no error. Errors are printed on stderr.
    std::function<void(const StreamOutcome&)> print;
};

struct StreamRunResult
{
    int exit_code = 0;
    nlohmann::ordered_json document; // results.h
};

// Prints the outcomes in the order of the streams.
StreamRunResult run_streams(const StreamRun& run);

} // namespace samples
