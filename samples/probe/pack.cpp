// SPDX-License-Identifier: MIT
#include "samples/probe/pack.h"

#include "pica/base/bytes.h"

#include <cstring>
#include <map>
#include <string>

namespace samples
{

using namespace pica;
using namespace probe_format;

namespace
{

// What the console does not check itself.
std::string mistake(const Probe& probe)
{
    if (probe.name().size() >= sizeof PackProbe::name)
        return "its name is too long";
    if (probe.answer_bytes() == 0)
        return "it reads nothing";
    for (const ProbeOperation& operation : probe.operations())
    {
        const auto& a = operation.arguments;
        const bool is_list = operation.kind == kList || operation.kind == kQuietList;
        const bool sized = operation.kind == kUpload || operation.kind == kRead || is_list;
        const u32 bytes = is_list ? a[0] : a[1];
        if (sized && (bytes == 0 || bytes % 16 != 0 || bytes > kMaxPiece))
            return "a size of " + std::to_string(bytes) + " bytes";
        if (!is_list && operation.kind != kRegister && (a[0] % 16 != 0 || a[0] >= kVramBytes))
            return "a place outside of VRAM, or not on 16 bytes";
    }
    return {};
}

} // namespace

Result<std::vector<u8>> write_pack(const std::vector<Probe>& probes)
{
    std::vector<u8> operations, payloads;
    std::map<std::string, u32> places; // vertices and textures occur in several probes
    const u32 first = static_cast<u32>(sizeof(PackHeader) + probes.size() * sizeof(PackProbe));
    u32 operation_bytes = 0;
    for (const Probe& probe : probes)
    {
        if (const std::string why = mistake(probe); !why.empty())
            return Error{"probe " + probe.name() + ": " + why};
        operation_bytes += 4;
        for (const ProbeOperation& operation : probe.operations())
            operation_bytes += 4 + 4 * kArguments[operation.kind];
    }
    const u32 first_payload = (first + operation_bytes + 15) / 16 * 16;

    std::vector<PackProbe> entries;
    u32 answer = static_cast<u32>(sizeof(ResultHeader) + probes.size() * sizeof(ResultEntry));
    for (const Probe& probe : probes)
    {
        PackProbe entry{};
        std::memcpy(entry.name, probe.name().data(), probe.name().size());
        entry.first_op = first + static_cast<u32>(operations.size());
        entry.answer = answer;
        entry.answer_bytes = probe.answer_bytes();
        entries.push_back(entry);
        answer += probe.answer_bytes();
        for (const ProbeOperation& operation : probe.operations())
        {
            std::array<u32, 6> arguments = operation.arguments;
            if (!operation.payload.empty())
            {
                const u32 next = first_payload + static_cast<u32>(payloads.size());
                const std::string key(operation.payload.begin(), operation.payload.end());
                const u32 place = places.try_emplace(key, next).first->second;
                arguments[kArguments[operation.kind] - 1] = place;
                if (place == next)
                    append_bytes(payloads, operation.payload);
            }
            append_word(operations, operation.kind);
            for (u32 i = 0; i < kArguments[operation.kind]; ++i)
                append_word(operations, arguments[i]);
        }
        append_word(operations, kEnd);
    }
    if (answer > kMaxResultBytes)
        return Error{"the answers need " + std::to_string(answer) + " bytes"};

    std::vector<u8> pack(sizeof(PackHeader));
    for (const PackProbe& entry : entries)
        append_bytes(pack, {reinterpret_cast<const u8*>(&entry), sizeof entry});
    append_bytes(pack, operations);
    pack.resize(first_payload);
    append_bytes(pack, payloads);
    const PackHeader header{
        kPackMagic,
        kVersion,
        crc32(0, pack.data() + sizeof(PackHeader), static_cast<u32>(pack.size() - sizeof(PackHeader))),
        static_cast<u32>(pack.size()),
        static_cast<u32>(probes.size()),
        answer};
    std::memcpy(pack.data(), &header, sizeof header);
    return pack;
}

} // namespace samples
