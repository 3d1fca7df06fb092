// SPDX-License-Identifier: MIT
// Each pass draws or computes, reads back and compares with self_test_reference.
#include "renderer/self_test/self_test_passes.h"

#include "renderer/self_test/self_test_layout.h"
#include "renderer/self_test/self_test_reference.h"
#include "renderer/vulkan/access_tracker.h"
#include "shadergen/push_graphics.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>

namespace renderer
{

namespace
{

using Attachment = SelfTestBench::Attachment;
using SelfDependency = SelfTestBench::SelfDependency;

// A driver compiles at the first draw where that takes so many milliseconds, and so many times the second draw.
constexpr double kLateMs = 5.0;
constexpr double kLateFactor = 4.0;

// Fixed-function blending is tested in bands of an image, from top to bottom. In each, column x has destination
// code x and row y has source code y, in every channel. Colour and alpha test one operation each.
struct Band
{
    VkBlendOp color, alpha;
    VkBlendFactor destination;
};
constexpr u32 kBandCount = 3;
constexpr Band kBands[kBandCount] = {{VK_BLEND_OP_ADD, VK_BLEND_OP_SUBTRACT, VK_BLEND_FACTOR_ONE},
                                     {VK_BLEND_OP_REVERSE_SUBTRACT, VK_BLEND_OP_MIN, VK_BLEND_FACTOR_ONE},
                                     {VK_BLEND_OP_MAX, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE}};
constexpr u32 kCodes = 256;

u32 blended(VkBlendOp op, s32 source, s32 destination)
{
    const auto apply = [&]
    {
        switch (op)
        {
        case VK_BLEND_OP_ADD:
            return std::min(source + destination, 255);
        case VK_BLEND_OP_SUBTRACT:
            return std::max(source - destination, 0);
        case VK_BLEND_OP_REVERSE_SUBTRACT:
            return std::max(destination - source, 0);
        case VK_BLEND_OP_MIN:
            return std::min(source, destination);
        default:
            return std::max(source, destination);
        }
    };
    return static_cast<u32>(apply());
}

// Pixel i of all bands after blending.
u32 blended(u32 i)
{
    const Band& band = kBands[i / (kCodes * kCodes)];
    const s32 destination = static_cast<s32>(i % kCodes), source = static_cast<s32>(i / kCodes % kCodes);
    return blended(band.color, source, destination) * 0x010101u | blended(band.alpha, source, destination)
                                                                      << 24;
}

} // namespace

Status SelfTestPasses::run(SelfTestResult& result)
{
    result.reciprocal_steps = 0;
    for (const auto pass : {&SelfTestPasses::compute, &SelfTestPasses::stages, &SelfTestPasses::coverage,
                            &SelfTestPasses::fixed_blend, &SelfTestPasses::fetch})
        if (Status status = (this->*pass)(result); !status)
            return status;
    return {};
}

Status SelfTestPasses::compute(SelfTestResult& result)
{
    SelfTestBench b = bench();
    constexpr VkDeviceSize kBytes = sizeof(SelfTestResults);
    auto buffer =
        memory_.create_buffer(kBytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                              MemoryKind::Readback, "self-test");
    if (!buffer)
        return buffer.error();
    if (Status s = b.layout(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT, true); !s)
        return s;
    const auto pipeline = b.compute("self_test.comp", b.pipeline_layout);
    if (!pipeline)
        return pipeline.error();
    const VkDescriptorBufferInfo info{buffer->buffer, 0, kBytes};
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = b.set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &info;
    device_.vk.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);

    const VkCommandBuffer cmd = stream_.cmd();
    device_.vk.vkCmdFillBuffer(cmd, buffer->buffer, 0, kBytes, 0);
    stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, kComputeWrite.stages,
                    kComputeWrite.mask);
    device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, *pipeline);
    device_.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, b.pipeline_layout, 0, 1, &b.set,
                                       0, nullptr);
    device_.vk.vkCmdDispatch(cmd, MANTISSAS / MANTISSAS_PER_INVOCATION / SELF_TEST_GROUP, 1, 1);
    stream_.barrier(kComputeWrite.stages, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT);
    if (Status s = stream_.wait(stream_.current()); !s)
        return s;
    if (Status s = memory_.invalidate(*buffer); !s)
        return s;
    const auto got = std::make_unique<SelfTestResults>();
    std::memcpy(got.get(), buffer->mapped, kBytes);
    result.reciprocal_steps = std::max(result.reciprocal_steps, static_cast<u8>(got->most_steps));
    result.compute_exact = true;
    for (u32 n = 0; n < ARITHMETIC_CASES; ++n)
        result.compute_exact &= got->result[n] == self_test_case(n);
    return {};
}

Status SelfTestPasses::stages(SelfTestResult& result)
{
    SelfTestBench b = bench();
    const auto words = b.attachment(VK_FORMAT_R32G32B32A32_UINT, ARITHMETIC_GRID, ARITHMETIC_GRID, 0, 0);
    const auto color = b.attachment(VK_FORMAT_R8G8B8A8_UINT, ARITHMETIC_GRID, ARITHMETIC_GRID, 0, 0);
    const auto depth = b.attachment(device_.features.depth_format(), ARITHMETIC_GRID, ARITHMETIC_GRID, 0, 0);
    for (const auto* attachment : {&words, &color, &depth})
        if (!*attachment)
            return attachment->error();
    const Attachment* const all[] = {&*words, &*color, &*depth};
    const auto pass = b.pass(all, SelfDependency::None);
    if (!pass)
        return pass.error();
    if (Status s = b.layout(VK_DESCRIPTOR_TYPE_MAX_ENUM, 0, false); !s)
        return s;
    SelfTestBench::PipelineInfo info;
    info.vertex = "self_test_arithmetic.vert";
    info.fragment = "self_test_arithmetic.frag";
    info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    const auto pipeline = b.graphics(info, *pass, b.pipeline_layout);
    if (!pipeline)
        return pipeline.error();
    if (Status s = stream_.wait(stream_.current()); !s) // the clears
        return s;
    double times[2]{};
    for (double& time : times)
    {
        const auto start = std::chrono::steady_clock::now();
        b.begin(*pass);
        device_.vk.vkCmdBindPipeline(stream_.cmd(), VK_PIPELINE_BIND_POINT_GRAPHICS, *pipeline);
        device_.vk.vkCmdDraw(stream_.cmd(), ARITHMETIC_CASES, 1, 0, 0);
        b.end();
        if (Status s = stream_.wait(stream_.current()); !s)
            return s;
        time = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    result.compiles_late = times[0] > kLateMs && times[0] > kLateFactor * times[1];
    const auto got_words = b.read(*words, VK_IMAGE_ASPECT_COLOR_BIT, 4);
    if (!got_words)
        return got_words.error();
    const auto got_color = b.read(*color, VK_IMAGE_ASPECT_COLOR_BIT, 1);
    if (!got_color)
        return got_color.error();
    const auto got_depth = b.read(*depth, VK_IMAGE_ASPECT_DEPTH_BIT, 1);
    if (!got_depth)
        return got_depth.error();

    result.vertex_exact = result.fragment_exact = result.color_exact = result.depth_exact = true;
    for (u32 n = 0; n < ARITHMETIC_CASES; ++n)
    {
        const u32* word = &(*got_words)[n * std::size_t{4}];
        const u32 expected = self_test_case(n);
        result.vertex_exact &= word[POINT_VERTEX_RESULT] == expected;
        result.fragment_exact &= word[POINT_FRAGMENT_RESULT] == expected;
        result.reciprocal_steps = static_cast<u8>(
            std::max({u32{result.reciprocal_steps}, word[POINT_VERTEX_STEPS], word[POINT_FRAGMENT_STEPS]}));
        result.color_exact &= (*got_color)[n] == self_test_color(n);
        const f32 d = std::ldexp(static_cast<f32>(self_test_depth(n)), -24);
        u32 bits;
        std::memcpy(&bits, &d, 4);
        result.depth_exact &= (*got_depth)[n] == bits;
    }
    return {};
}

Status SelfTestPasses::coverage(SelfTestResult& result)
{
    SelfTestBench b = bench();
    const auto image = b.attachment(VK_FORMAT_R32_UINT, kCoverageSize, kCoverageSize, 0, kUncovered);
    if (!image)
        return image.error();
    const Attachment* const all[] = {&*image};
    const auto pass = b.pass(all, SelfDependency::None);
    if (!pass)
        return pass.error();
    if (Status s = b.layout(VK_DESCRIPTOR_TYPE_MAX_ENUM, 0, false); !s)
        return s;
    SelfTestBench::PipelineInfo info;
    info.vertex = "self_test_coverage.vert";
    info.fragment = "self_test_coverage.frag";
    info.positions = true;
    const auto pipeline = b.graphics(info, *pass, b.pipeline_layout);
    if (!pipeline)
        return pipeline.error();
    const std::vector<CoveragePoint> points = coverage_triangles();
    const std::size_t bytes = points.size() * sizeof(CoveragePoint);
    auto vertices =
        memory_.create_buffer(bytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, MemoryKind::Upload, "self-test");
    if (!vertices)
        return vertices.error();
    std::memcpy(vertices->mapped, points.data(), bytes);
    shadergen::GraphicsPush push;
    push.scale = 2.0f / (16 * kCoverageSize);
    b.begin(*pass);
    const VkCommandBuffer cmd = stream_.cmd();
    const VkDeviceSize zero = 0;
    device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, *pipeline);
    device_.vk.vkCmdBindVertexBuffers(cmd, 0, 1, &vertices->buffer.ref(), &zero);
    device_.vk.vkCmdPushConstants(cmd, b.pipeline_layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, &push);
    device_.vk.vkCmdDraw(cmd, static_cast<u32>(points.size()), 1, 0, 0);
    b.end();
    const auto got = b.read(*image, VK_IMAGE_ASPECT_COLOR_BIT, 1);
    if (!got)
        return got.error();
    result.coverage_exact = *got == coverage_reference(points);
    return {};
}

Status SelfTestPasses::fixed_blend(SelfTestResult& result)
{
    SelfTestBench b = bench();
    const auto image = b.attachment(VK_FORMAT_R8G8B8A8_UNORM, kCodes, kCodes * kBandCount, 0, 0);
    if (!image)
        return image.error();
    const Attachment* const all[] = {&*image};
    const auto pass = b.pass(all, SelfDependency::None);
    if (!pass)
        return pass.error();
    if (Status s = b.layout(VK_DESCRIPTOR_TYPE_MAX_ENUM, 0, false); !s)
        return s;
    auto start = blend_destination();
    if (!start)
        return start.error();
    const VkBufferImageCopy copy{
        0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {kCodes, kCodes * kBandCount, 1}};
    stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                    VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    device_.vk.vkCmdCopyBufferToImage(stream_.cmd(), start->buffer, image->image.image,
                                      VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
    UniquePipeline pipelines[kBandCount];
    for (u32 band = 0; band < kBandCount; ++band)
    {
        SelfTestBench::PipelineInfo info;
        info.vertex = "self_test_layers.vert";
        info.fragment = "self_test_blend.frag";
        info.color_op = kBands[band].color;
        info.alpha_op = kBands[band].alpha;
        info.destination = kBands[band].destination;
        info.band = {{0, static_cast<s32>(kCodes * band)}, {kCodes, kCodes}};
        auto pipeline = b.graphics(info, *pass, b.pipeline_layout);
        if (!pipeline)
            return pipeline.error();
        pipelines[band] = std::move(*pipeline);
    }
    b.begin(*pass);
    for (const UniquePipeline& pipeline : pipelines)
    {
        device_.vk.vkCmdBindPipeline(stream_.cmd(), VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        device_.vk.vkCmdDraw(stream_.cmd(), 3, 1, 0, 0);
    }
    b.end();
    const auto got = b.read(*image, VK_IMAGE_ASPECT_COLOR_BIT, 1);
    if (!got)
        return got.error();
    result.fixed_blend_exact = true;
    for (u32 i = 0; i < got->size(); ++i)
        result.fixed_blend_exact &= (*got)[i] == blended(i);
    return {};
}

// The destination of the blend bands, as an image in memory.
Result<Buffer> SelfTestPasses::blend_destination()
{
    constexpr u32 kPixels = kCodes * kCodes * kBandCount;
    auto start =
        memory_.create_buffer(kPixels * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryKind::Upload, "self-test");
    for (u32 i = 0; start && i < kPixels; ++i)
    {
        const u32 word = i % kCodes * 0x01010101u;
        std::memcpy(start->mapped + i * std::size_t{4}, &word, 4);
    }
    return start;
}

Status SelfTestPasses::fetch(SelfTestResult& result)
{
    if (Status s = fetch(false, result.barrier_exact); !s)
        return s;
    result.fetch_exact = result.barrier_exact;
    return device_.features.rasterization_order_access ? fetch(true, result.fetch_exact) : Status();
}

// Layers of triangles, each of which reads what the one before it wrote.
Status SelfTestPasses::fetch(bool raster_order, bool& exact)
{
    constexpr u32 kSize = 16, kLayers = 8;
    SelfTestBench b = bench();
    const auto image =
        b.attachment(VK_FORMAT_R8G8B8A8_UINT, kSize, kSize, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, 0);
    if (!image)
        return image.error();
    const Attachment* const all[] = {&*image};
    const auto pass = b.pass(all, raster_order ? SelfDependency::RasterOrder : SelfDependency::Barrier);
    if (!pass)
        return pass.error();
    if (Status s = b.layout(VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_SHADER_STAGE_FRAGMENT_BIT, true); !s)
        return s;
    const VkDescriptorImageInfo view{VK_NULL_HANDLE, image->image.view, VK_IMAGE_LAYOUT_GENERAL};
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = b.set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    write.pImageInfo = &view;
    device_.vk.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
    SelfTestBench::PipelineInfo info;
    info.vertex = "self_test_layers.vert";
    info.fragment = "self_test_fetch.frag";
    info.raster_order = raster_order;
    const auto pipeline = b.graphics(info, *pass, b.pipeline_layout);
    if (!pipeline)
        return pipeline.error();
    b.begin(*pass);
    const VkCommandBuffer cmd = stream_.cmd();
    device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, *pipeline);
    device_.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, b.pipeline_layout, 0, 1, &b.set,
                                       0, nullptr);
    if (raster_order)
        device_.vk.vkCmdDraw(cmd, 3 * kLayers, 1, 0, 0);
    for (u32 layer = 0; layer < kLayers && !raster_order; ++layer)
    {
        auto barrier = make<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
        barrier.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
        barrier.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
        if (layer != 0)
            device_.vk.vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                            VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                            VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
        device_.vk.vkCmdDraw(cmd, 3, 1, 3 * layer, 0);
    }
    b.end();
    const auto got = b.read(*image, VK_IMAGE_ASPECT_COLOR_BIT, 1);
    if (!got)
        return got.error();
    exact = true;
    for (u32 i = 0; i < kSize * kSize; ++i)
    {
        const u32 x = i % kSize, y = i / kSize;
        u32 color[4] = {};
        for (u32 layer = 0; layer < kLayers; ++layer)
        {
            const u32 added[4] = {layer + x, y, layer, 1};
            for (u32 c = 0; c < 4; ++c)
                color[c] = (color[c] * 5 + added[c]) & 255;
        }
        exact &= (*got)[i] == (color[0] | color[1] << 8 | color[2] << 16 | color[3] << 24);
    }
    return {};
}

} // namespace renderer
