// SPDX-License-Identifier: MIT
#include "pica/trace/trace.h"

#include "pica/base/bounded_file.h"
#include "pica/trace/ctf_reader.h"
#include "pica/trace/pvk_format.h"
#include "pica/trace/pvk_reader.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace pica
{

bool TraceContents::has_memory(PhysAddr address, u64 size) const
{
    for (const MemoryRange& range : memory)
        if (address >= range.base && address + size <= u64{range.base} + range.size)
            return true;
    return false;
}

u64 Trace::most_bytes(std::span<const u8> first)
{
    return has_magic(first, kPvkMagic) || is_ctf(first) ? u64{4} << 30 : 0;
}

Result<Trace> Trace::parse(std::vector<u8> file)
{
    if (file.empty())
        return Error{"the file is empty"};
    const bool is_pvk = has_magic(file, kPvkMagic);
    if (!is_pvk && !is_ctf(file))
        return Error{
            "not a recording (it starts neither with \"PICAVKTR\" nor, as CiTrace files do, with \"CiTr\")"};
    Result<TraceContents> contents = is_pvk ? read_pvk(std::move(file)) : read_ctf(std::move(file));
    if (!contents)
        return contents.error();
    return Trace(std::move(*contents));
}

Result<Trace> Trace::load(const std::string& path)
{
    struct Close
    {
        void operator()(std::FILE* stream) const { std::fclose(stream); }
    };
    const std::unique_ptr<std::FILE, Close> stream(std::fopen(path.c_str(), "rb"));
    if (stream == nullptr)
        return Error{path + ": " + std::strerror(errno)};
    Result<std::vector<u8>> file = read_bounded(stream.get(), kMagicBytes, most_bytes);
    if (!file)
        return Error{path + ": " + file.error().message};
    Result<Trace> trace = parse(std::move(*file));
    if (!trace)
        return Error{path + ": " + trace.error().message};
    return trace;
}

} // namespace pica
