// SPDX-License-Identifier: MIT
#include "renderer/pipelines/kept_spirv.h"

#include <cstring>
#include <type_traits>

namespace renderer
{

using pica::u32;
using pica::u8;

namespace
{

constexpr const char* kModules = "spirv";
constexpr u8 kModule = 1;
constexpr u8 kRefusal = 2;
constexpr u32 kSpirvMagic = 0x07230203;
constexpr std::size_t kSpirvHeaderWords = 5;

} // namespace

std::vector<u8> spirv_key(shadergen::Stage stage, const shadergen::Target& target, std::string_view name)
{
    static_assert(std::has_unique_object_representations_v<shadergen::Target>);
    std::string key(1, static_cast<char>(stage));
    key.append(reinterpret_cast<const char*>(&target), sizeof target);
    key += name;
    key += '\0';
    return {key.begin(), key.end()};
}

std::optional<KeptSpirv> find_spirv(DiskCache* cache, std::span<const u8> key)
{
    if (cache == nullptr)
        return {};
    const auto content = cache->find(kModules, key);
    if (!content)
        return {};
    KeptSpirv kept;
    const std::span<const u8> body = std::span(*content).subspan(content->empty() ? 0 : 1);
    if (!content->empty() && content->front() == kRefusal)
    {
        kept.refusal.assign(body.begin(), body.end());
        return kept;
    }
    kept.module.resize(body.size() / 4);
    if (!kept.module.empty())
        std::memcpy(kept.module.data(), body.data(), kept.module.size() * 4);
    if (content->empty() || content->front() != kModule || body.size() % 4 != 0 ||
        kept.module.size() <= kSpirvHeaderWords || kept.module.front() != kSpirvMagic)
    {
        cache->refuse(kModules, "it holds no module");
        return {};
    }
    return kept;
}

void keep_spirv(DiskCache* cache, std::span<const u8> key, const KeptSpirv& kept)
{
    if (cache == nullptr)
        return;
    const bool is_module = !kept.module.empty();
    const auto* const body = is_module ? reinterpret_cast<const u8*>(kept.module.data())
                                       : reinterpret_cast<const u8*>(kept.refusal.data());
    const std::size_t size = is_module ? kept.module.size() * 4 : kept.refusal.size();
    std::vector<u8> content;
    content.reserve(1 + size);
    content.push_back(is_module ? kModule : kRefusal);
    content.insert(content.end(), body, body + size);
    cache->keep(kModules, key, content);
}

} // namespace renderer
