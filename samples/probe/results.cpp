// SPDX-License-Identifier: MIT
#include "samples/probe/results.h"

#include "samples/probe/pack.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>

namespace samples
{

using namespace pica;
using namespace probe_format;

std::string ProbeResults::console() const
{
    static constexpr const char* kModels[] = {"Nintendo 3DS", "Nintendo 3DS XL",     "New Nintendo 3DS",
                                              "Nintendo 2DS", "New Nintendo 3DS XL", "New Nintendo 2DS XL"};
    return header.model < std::size(kModels) ? kModels[header.model] : "unknown model";
}

std::string ProbeResults::firmware() const
{
    // Bytes: 1 revision, 2 minor, 3 major.
    const auto text = [](u32 word)
    {
        return std::to_string(word >> 24) + "." + std::to_string(word >> 16 & 255) + "-" +
               std::to_string(word >> 8 & 255);
    };
    return "kernel " + text(header.kernel) + ", firmware " + text(header.firmware);
}

namespace
{

std::string hexadecimal(u32 value)
{
    char text[9];
    std::snprintf(text, sizeof text, "%08X", value);
    return text;
}

bool is_decided(u16 status)
{
    return status == kDone || status == kHung || status == kRefused;
}

} // namespace

std::string ProbeResults::gpu() const
{
    return "GPU " + hexadecimal(header.gpu);
}

std::string ProbeResults::version() const
{
    return hexadecimal(header.pack);
}

bool ProbeResults::is_complete() const
{
    return std::ranges::all_of(answers, [](const ProbeAnswer& answer) { return is_decided(answer.status); });
}

namespace
{

std::string count_text(u32 done, std::size_t all)
{
    return std::to_string(done) + " of " + std::to_string(all);
}

constexpr const char* kDamaged = "the checksum is wrong: the file was changed or damaged after the run";

// Of header and entries, as the program on the console makes it.
u32 table_checksum(const std::vector<u8>& file, const ResultHeader& header)
{
    std::vector<u8> table(file.begin(), file.begin() + sizeof header +
                                            static_cast<std::ptrdiff_t>(header.probes * sizeof(ResultEntry)));
    std::memset(table.data() + offsetof(ResultHeader, crc), 0, 4);
    return crc32(0, table.data(), static_cast<u32>(table.size()));
}

// Empty if the table is whole and was made with these probes.
std::string refusal(const std::vector<u8>& file, const ResultHeader& header, const PackHeader& pack)
{
    if (header.version != kVersion)
        return "results of version " + std::to_string(header.version) + "; this picavk reads version " +
               std::to_string(kVersion);
    if (file.size() < header.bytes)
        return "the file is cut off: " + count_text(static_cast<u32>(file.size()), header.bytes) +
               " bytes are there; copy it again";
    if (file.size() > header.bytes)
        return "the file has bytes behind its end; copy it again";
    if (header.probes > (file.size() - sizeof header) / sizeof(ResultEntry) ||
        table_checksum(file, header) != header.crc)
        return kDamaged;
    if (header.pack != pack.id || header.probes != pack.probes || header.bytes != pack.answer_bytes)
        return "the file answers other probes (version " + hexadecimal(header.pack) +
               ") than those of this picavk (version " + hexadecimal(pack.id) +
               "); use the program and picavk of one version";
    return {};
}

// Is the answer what was written, and nothing where there is none?
bool is_whole(const ResultEntry& entry, std::span<const u8> answer)
{
    if (entry.status > kRefused)
        return false;
    return entry.status == kDone ? entry.crc == crc32(0, answer.data(), static_cast<u32>(answer.size()))
                                 : std::ranges::all_of(answer, [](u8 byte) { return byte == 0; });
}

} // namespace

Result<ProbeResults> read_results(const std::vector<u8>& file, const std::vector<Probe>& probes)
{
    ProbeResults results;
    if (file.size() < sizeof results.header)
        return Error{"not a file of results: it is too short"};
    std::memcpy(&results.header, file.data(), sizeof results.header);
    if (results.header.magic != kResultMagic)
        return Error{"not a file of results"};
    const Result<std::vector<u8>> pack = write_pack(probes);
    if (!pack)
        return pack.error();
    PackHeader header;
    std::memcpy(&header, pack->data(), sizeof header);
    if (const std::string why = refusal(file, results.header, header); !why.empty())
        return Error{why};
    for (std::size_t i = 0; i < probes.size(); ++i)
    {
        PackProbe place;
        std::memcpy(&place, pack->data() + sizeof header + i * sizeof place, sizeof place);
        ResultEntry entry;
        std::memcpy(&entry, file.data() + sizeof results.header + i * sizeof entry, sizeof entry);
        ProbeAnswer answer;
        const std::span<const u8> bytes = std::span(file).subspan(place.answer, place.answer_bytes);
        if (!is_whole(entry, bytes))
            return Error{kDamaged};
        answer.status = static_cast<ProbeStatus>(entry.status);
        // Begun once and not ended: it is asked again.
        if (answer.status == kRunning)
            answer.status = entry.attempts < kMostAttempts ? kNotRun : kHung;
        answer.microseconds = entry.microseconds;
        answer.error = entry.error;
        if (answer.status == kDone)
            answer.bytes.assign(bytes.begin(), bytes.end());
        results.answers.push_back(std::move(answer));
    }
    if (results.header.complete > 1 || (results.header.complete == 1 && !results.is_complete()))
        return Error{kDamaged};
    return results;
}

} // namespace samples
