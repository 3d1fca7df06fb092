// SPDX-License-Identifier: MIT
#include "samples/cli/golden/side.h"

#include "samples/cli/host.h"
#include "samples/cli/input_file.h"
#include "samples/cli/parsed_stream.h"
#include "samples/cli/playback.h"
#include "samples/cli/program_output.h"

#include <algorithm>
#include <utility>

namespace samples
{

namespace
{

constexpr pica::u64 kMostDigestBytes = pica::u64{1} << 30;
constexpr const char* kDigestStart = "{\"picavk";

bool is_digest(std::span<const pica::u8> first)
{
    const std::string_view magic = std::string_view(kDigestStart).substr(0, pica::Trace::kMagicBytes);
    return first.size() >= magic.size() && std::equal(magic.begin(), magic.end(), first.begin());
}

} // namespace

pica::Result<Side> Side::open(const std::string& name, const SideOptions& options, pica::Report& report)
{
    Side side(name, options, report);
    if (name == "software" || name == "vulkan")
    {
        side.kind_ = Kind::Backend;
        side.options_.backend = name == "vulkan" ? BackendChoice::Vulkan : BackendChoice::Software;
    }
    else
    {
        auto bytes =
            read_input(name, pica::Trace::kMagicBytes,
                       [](std::span<const pica::u8> first)
                       { return is_digest(first) ? kMostDigestBytes : pica::Trace::most_bytes(first); });
        if (!bytes)
            return bytes.error();
        if (is_digest(*bytes))
        {
            side.kind_ = Kind::Digest;
            auto entries = parse_digest(std::string(bytes->begin(), bytes->end()));
            if (!entries)
                return pica::Error{input_name(name) + ": " + entries.error().message};
            side.entries_ = std::move(*entries);
            return side;
        }
        if (pica::Trace::most_bytes(*bytes) == 0 && is_program(name))
            side.kind_ = Kind::Program;
        else
        {
            pica::Result<pica::Trace> trace = parse_stream(name, std::move(*bytes));
            if (!trace)
                return trace.error();
            side.trace_ = std::make_shared<const pica::Trace>(std::move(*trace));
            return side;
        }
    }
    if (options.stream.empty())
        return pica::Error{name + ": --stream has to say what is played"};
    if (side.kind_ == Kind::Program && options.stream == kStandardInput)
        return pica::Error{name + ": a program does not get standard input; --stream has to name a file"};
    side.trace_ = options.trace;
    if (side.kind_ == Kind::Program || side.trace_)
        return side;
    pica::Result<pica::Trace> trace = open_stream(options.stream);
    if (!trace)
        return trace.error();
    side.trace_ = std::make_shared<const pica::Trace>(std::move(*trace));
    return side;
}

Side Side::of_recording(const std::string& name, std::shared_ptr<const pica::Trace> trace,
                        const SideOptions& options, pica::Report& report)
{
    Side side(name, options, report);
    side.trace_ = std::move(trace);
    return side;
}

std::string Side::text() const
{
    switch (kind_)
    {
    case Kind::Backend:
        return name_ + " backend";
    case Kind::Program:
        return "program " + name_;
    case Kind::Recording:
        return "recording " + input_name(name_);
    case Kind::Digest:
        break;
    }
    return "digest " + input_name(name_);
}

DigestOptions Side::digest_options() const
{
    DigestOptions options;
    options.name = stream_name(kind_ == Kind::Backend ? options_.stream : name_);
    options.backend = options_.backend;
    options.vulkan = options_.vulkan;
    return options;
}

pica::Result<std::string> Side::run_program(const std::vector<std::string>& arguments) const
{
    std::vector<std::string> command = {name_, "digest", options_.stream, "--backend",
                                        options_.backend == BackendChoice::Vulkan ? "vulkan" : "software"};
    if (options_.vulkan.scale != 1) // programs from before upscaling do not know the option
        command.insert(command.end(), {"--scale", std::to_string(options_.vulkan.scale)});
    command.insert(command.end(), arguments.begin(), arguments.end());
    if (options_.on_progress)
        options_.on_progress(text() + " digests the stream");
    auto output = program_output(command);
    if (!output)
        return pica::Error{name_ + ": " + output.error().message};
    return output;
}

pica::Result<std::vector<DigestEntry>> Side::digest(renderer::CreateFailure* failure)
{
    if (kind_ == Kind::Digest)
        return entries_;
    if (kind_ == Kind::Program)
    {
        const auto text = run_program({"--at", "draw"});
        if (!text)
            return text.error();
        auto parsed = parse_digest(*text);
        if (!parsed)
            return pica::Error{name_ + ": " + parsed.error().message};
        return parsed;
    }
    std::vector<DigestEntry> entries;
    const pica::Status made = make_digest(
        *trace_, digest_options(), *report_,
        [&](const DigestEntry& entry)
        {
            if (options_.on_progress && entry.contains("frame"))
                options_.on_progress(
                    frames_done(text(), entry.at("frame").get<pica::u32>(), trace_->frames()));
            entries.push_back(entry);
            return true;
        },
        failure);
    if (!made)
        return made.error();
    return entries;
}

pica::Result<DigestEntry> Side::blocks(DrawNumber number, renderer::CreateFailure* failure)
{
    if (kind_ == Kind::Digest)
        return pica::Error{name_ + " is a digest, which has no blocks"};
    if (kind_ != Kind::Program)
        return digest_blocks(*trace_, digest_options(), number, *report_, failure);
    const auto text =
        run_program({"--frame", std::to_string(number.frame), "--draw", std::to_string(number.draw)});
    if (!text)
        return text.error();
    auto entry = parse_blocks(*text);
    if (!entry)
        return pica::Error{name_ + ": " + entry.error().message};
    return entry;
}

} // namespace samples
