// SPDX-License-Identifier: MIT
#include "samples/probe/pack.h"

#include "pica/base/bytes.h"
#include "samples/probe/probes.h"

#include <cstring>
#include <map>
#include <span>
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

class PackWriter
{
public:
    explicit PackWriter(std::span<const Probe> probes)
    {
        u32 operation_bytes = 0;
        for (const Probe& probe : probes)
        {
            operation_bytes += 4;
            for (const ProbeOperation& operation : probe.operations())
                operation_bytes += 4 + 4 * kArguments[operation.kind];
        }
        first_ = static_cast<u32>(sizeof(PackHeader) + (probes.size() - 1) * sizeof(PackProbe));
        first_payload_ = (first_ + operation_bytes + 15) / 16 * 16;
    }

    // Their byte offset.
    u32 add(const Probe& probe)
    {
        const u32 place = first_ + static_cast<u32>(operations_.size());
        for (const ProbeOperation& operation : probe.operations())
            add(operation);
        append_word(operations_, kEnd);
        return place;
    }

    // Behind header and entries.
    void append_to(std::vector<u8>& pack) const
    {
        append_bytes(pack, operations_);
        pack.resize(first_payload_);
        append_bytes(pack, payloads_);
    }

private:
    void add(const ProbeOperation& operation)
    {
        std::array<u32, 6> arguments = operation.arguments;
        if (!operation.payload.empty())
        {
            const u32 next = first_payload_ + static_cast<u32>(payloads_.size());
            const std::string key(operation.payload.begin(), operation.payload.end());
            const u32 place = places_.try_emplace(key, next).first->second;
            arguments[kArguments[operation.kind] - 1] = place;
            if (place == next)
                append_bytes(payloads_, operation.payload);
        }
        append_word(operations_, operation.kind);
        for (u32 i = 0; i < kArguments[operation.kind]; ++i)
            append_word(operations_, arguments[i]);
    }

    u32 first_, first_payload_;
    std::vector<u8> operations_, payloads_;
    std::map<std::string, u32> places_; // vertices and textures occur in several probes
};

} // namespace

Result<std::vector<u8>> write_pack(const std::vector<Probe>& probes)
{
    for (const Probe& probe : probes)
        if (const std::string why = mistake(probe); !why.empty())
            return Error{"probe " + probe.name() + ": " + why};
    std::vector<Probe> all = probes;
    all.push_back(canary_probe());
    PackWriter writer(all);
    std::vector<u8> pack(sizeof(PackHeader));
    u32 answer = static_cast<u32>(sizeof(ResultHeader) + probes.size() * sizeof(ResultEntry));
    for (const Probe& probe : probes)
    {
        PackProbe entry{};
        std::memcpy(entry.name, probe.name().data(), probe.name().size());
        entry.first_op = writer.add(probe);
        entry.answer = answer;
        entry.answer_bytes = probe.answer_bytes();
        append_bytes(pack, {reinterpret_cast<const u8*>(&entry), sizeof entry});
        answer += probe.answer_bytes();
    }
    const u32 canary = writer.add(all.back());
    if (answer > kMaxResultBytes)
        return Error{"the answers need " + std::to_string(answer) + " bytes"};
    writer.append_to(pack);
    const PackHeader header{
        kPackMagic,
        kVersion,
        crc32(0, pack.data() + sizeof(PackHeader), static_cast<u32>(pack.size() - sizeof(PackHeader))),
        static_cast<u32>(pack.size()),
        static_cast<u32>(probes.size()),
        answer,
        canary};
    std::memcpy(pack.data(), &header, sizeof header);
    return pack;
}

} // namespace samples
