// SPDX-License-Identifier: MIT
// VertexStatus: the words in which the vertex shaders report what went wrong (STATUS_* of shaders/include/layout.h). Each
// submission has a section of its own, whose draws share words that only gather bits. The bits are reported when the
// submission is done.
#pragma once

#include "pica/base/report.h"
#include "renderer/vulkan/device.h"
#include "renderer/vulkan/memory.h"

#include <vector>

namespace renderer
{

class RunawayPrograms;
class Stream;

// Not thread-safe. Host failures are kept in Device::status.
class VertexStatus
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        Memory& memory;
        RunawayPrograms& runaways; // learns when submissions are done
        pica::Report& report;
    };
    // words: of a section, one for each draw of a batch.
    VertexStatus(const Parts& parts, u32 words) : parts_(parts), words_(words) {}
    Status create();

    // Selects the section of the submission being recorded. May make more sections.
    void select();
    // The selected section as a storage buffer.
    VkDescriptorBufferInfo section() const;
    // Was a section selected that was not used in this submission?
    bool is_new() const { return is_new_; }
    // Records its clear. A barrier from transfers must follow.
    void clear_new(VkCommandBuffer cmd);

private:
    VkDeviceSize section_bytes() const { return VkDeviceSize{words_} * 4; }
    Status add_sections();
    void report(u32 section, u64 serial);

    Parts parts_;
    const u32 words_;
    std::vector<Buffer> buffers_;
    std::vector<u64>
        serials_; // of the submissions that used the sections last; sections are numbered over all buffers
    u32 section_ = 0;
    u64 serial_ = 0; // the submission of the current section
    bool is_new_ = false;
};

} // namespace renderer
