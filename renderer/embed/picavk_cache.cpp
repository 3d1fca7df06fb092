// SPDX-License-Identifier: MIT
// The C interface: what is kept from run to run.
#include "renderer/picavk_cache.h"

#include "renderer/embed/picavk_context.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace
{

constexpr pica::u32 kMostMebibytes = 1000000;

using Bytes = std::vector<pica::u8>;

// PicavkCacheGive for a target of type Bytes. What cannot be copied counts as not there.
void give(void* target, const void* bytes, size_t size)
{
    auto& to = *static_cast<Bytes*>(target);
    const auto* const first = static_cast<const pica::u8*>(bytes);
    try
    {
        if (bytes != nullptr)
            to.assign(first, first + size);
    }
    catch (const std::exception&)
    {
        to.clear();
    }
}

} // namespace

bool cache_of(const PicavkCache& given, renderer::CacheOptions& cache, std::string& message)
{
    PicavkCache known{};
    message = "PicavkCache::struct_size is not that of the library: set it to sizeof(PicavkCache)";
    if (given.struct_size < sizeof known.struct_size || given.struct_size > sizeof known)
        return false;
    std::memcpy(&known, &given, given.struct_size);
    message = "PicavkCache::load and store: there is one without the other";
    if ((known.load == nullptr) != (known.store == nullptr))
        return false;
    message = "PicavkCache::folder_mebibytes is too large";
    if (known.folder_mebibytes >= kMostMebibytes)
        return false;
    message.clear();
    if (known.folder != nullptr)
        cache.directory = known.folder;
    if (known.folder_mebibytes != 0)
        cache.most_bytes = pica::u64{known.folder_mebibytes} << 20;
    if (known.title != nullptr)
        cache.title = known.title;
    if (known.load == nullptr)
        return true;
    cache.load = [user = known.user, load = known.load](const std::string& name)
    {
        Bytes bytes;
        load(user, name.c_str(), give, &bytes);
        return bytes;
    };
    cache.store =
        [user = known.user, store = known.store](const std::string& name, std::span<const pica::u8> bytes)
    { return store(user, name.c_str(), bytes.data(), bytes.size()) != 0; };
    return true;
}
