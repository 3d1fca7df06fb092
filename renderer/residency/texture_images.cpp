// SPDX-License-Identifier: MIT
#include "renderer/residency/texture_images.h"

#include "renderer/pipelines/fixed_pipelines.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

constexpr std::size_t kFreeKept = 64;

} // namespace

std::size_t TextureImages::find_free(const TextureSize& size) const
{
    for (std::size_t i = 0; i < free_.size(); i++)
    {
        const Image& image = free_[i]->image;
        if (image.width == size.width && image.height == size.height && image.levels == size.levels &&
            image.layers == size.layers && is_unused(*free_[i]))
            return i;
    }
    return free_.size();
}

std::unique_ptr<TextureImage> TextureImages::take_free(const TextureSize& size)
{
    const std::size_t index = find_free(size);
    if (index == free_.size())
        return nullptr;
    std::unique_ptr<TextureImage> image = std::move(free_[index]);
    image->batch = parts_.stream.batch();
    free_[index] = std::move(free_.back());
    free_.pop_back();
    return image;
}

Result<std::unique_ptr<TextureImage>> TextureImages::create(const TextureSize& size)
{
    ImageInfo info;
    info.name = "texture";
    info.format = VK_FORMAT_R32_UINT;
    info.width = size.width;
    info.height = size.height;
    info.levels = size.levels;
    info.layers = size.layers;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    Result<Image> made = parts_.memory.create_image(info);
    if (!made)
        return made.error();
    auto image = std::make_unique<TextureImage>();
    image->image = std::move(*made);
    image->id = next_id();
    image->batch = parts_.stream.batch();
    live_bytes_ += image->image.bytes;
    bytes_ += image->image.bytes;
    peak_bytes_ = std::max(peak_bytes_, bytes_);
    return image;
}

void TextureImages::release(std::unique_ptr<TextureImage> image)
{
    if (free_.size() >= kFreeKept)
    {
        const auto unused =
            std::find_if(free_.begin(), free_.end(), [&](const auto& other) { return is_unused(*other); });
        if (unused != free_.end())
        {
            destroy(std::move(*unused));
            *unused = std::move(image);
            return;
        }
    }
    free_.push_back(std::move(image));
}

void TextureImages::destroy(std::unique_ptr<TextureImage> image)
{
    live_bytes_ -= image->image.bytes;
    if (parts_.stream.batch_done(image->batch))
    {
        bytes_ -= image->image.bytes;
        for (const VkDescriptorSet set : image->sets)
            parts_.pipelines.releaser(set)();
        return;
    }
    retired_.push_back({parts_.stream.current(), image->image.bytes});
    for (const VkDescriptorSet set : image->sets)
        parts_.stream.defer(parts_.pipelines.releaser(set));
    parts_.stream.retire(std::move(image));
}

void TextureImages::drop_free(u64 limit)
{
    for (std::size_t i = 0; i < free_.size() && live_bytes_ > limit;)
    {
        if (!is_unused(*free_[i]))
        {
            i++;
            continue;
        }
        destroy(std::move(free_[i]));
        free_[i] = std::move(free_.back());
        free_.pop_back();
    }
}

void TextureImages::drop_all_free()
{
    for (auto& image : free_)
        destroy(std::move(image));
    free_.clear();
}

void TextureImages::collect_retired()
{
    for (; !retired_.empty() && parts_.stream.done(retired_.front().serial); retired_.pop_front())
        bytes_ -= retired_.front().bytes;
}

} // namespace renderer
