// SPDX-License-Identifier: MIT
#include "samples/probe/results.h"

#include "samples/probe/pack.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

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

std::string count_text(u32 done, std::size_t all)
{
    return std::to_string(done) + " of " + std::to_string(all);
}

// Empty if the file is whole and was made with these probes.
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
    if (header.complete == 0)
        return "the run is not complete; start the program on the console again, it goes on where it stopped";
    std::vector<u8> bytes = file;
    std::memset(bytes.data() + offsetof(ResultHeader, crc), 0, 4);
    if (crc32(0, bytes.data(), static_cast<u32>(bytes.size())) != header.crc)
        return "the checksum is wrong: the file was changed or damaged after the run";
    if (header.pack != pack.id || header.probes != pack.probes || header.bytes != pack.answer_bytes)
        return "the file answers other probes than those of this picavk; use the program and picavk of one "
               "version";
    return {};
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
        answer.status = static_cast<ProbeStatus>(std::min<u32>(entry.status, kHung));
        answer.microseconds = entry.microseconds;
        const auto begin = file.begin() + place.answer;
        if (answer.status == kDone)
            answer.bytes.assign(begin, begin + place.answer_bytes);
        results.answers.push_back(std::move(answer));
    }
    return results;
}

} // namespace samples
