// SPDX-License-Identifier: MIT
// One of the two sides of `picavk bisect` and `picavk compare`: a recording, a digest, a picavk program, or a backend of
// this one. Tests: tests/cli/bisect_test.cpp.
#pragma once

#include "samples/cli/golden/digest.h"
#include "samples/cli/progress.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace samples
{

struct SideOptions
{
    std::string stream{}; // what programs and backends play; "" where both sides are recordings
    std::shared_ptr<const pica::Trace> trace{}; // of that stream, if it was read already
    BackendChoice backend{};                    // of recordings and programs; Auto: Software
    renderer::Options vulkan{};                 // its scale is that of either backend
    OnProgress on_progress{};                   // told how far the work is
};

class Side
{
public:
    enum class Kind : pica::u8
    {
        Backend,
        Program,
        Recording,
        Digest,
    };

    // name: "software", "vulkan" or a file. Error: one line that names the file.
    static pica::Result<Side> open(const std::string& name, const SideOptions& options, pica::Report& report);

    // A recording that was read already.
    static Side of_recording(const std::string& name, std::shared_ptr<const pica::Trace> trace,
                             const SideOptions& options, pica::Report& report);

    Kind kind() const { return kind_; }
    // The stream, program or digest in words.
    std::string text() const;
    // failure: as in Renderer::create.
    pica::Result<std::vector<DigestEntry>> digest(renderer::CreateFailure* failure);
    // Error: a digest has no blocks.
    pica::Result<DigestEntry> blocks(DrawNumber number, renderer::CreateFailure* failure);

private:
    Side(std::string name, const SideOptions& options, pica::Report& report)
        : name_(std::move(name)), options_(options), report_(&report)
    {
    }
    DigestOptions digest_options() const;
    pica::Result<std::string> run_program(const std::vector<std::string>& arguments) const;

    std::string name_;
    SideOptions options_;
    pica::Report* report_;
    Kind kind_ = Kind::Recording;
    std::shared_ptr<const pica::Trace> trace_; // of a backend or recording
    std::vector<DigestEntry> entries_;         // of a digest
};

} // namespace samples
