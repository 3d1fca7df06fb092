// SPDX-License-Identifier: MIT
#include "renderer/vertex/fetchable_memory.h"

#include "renderer/residency/guest_mirror.h"

namespace renderer
{

FetchableMemory::FetchableMemory(const GuestMirror& mirror)
{
    for (u32 i = 0; i < regions_.size(); ++i)
        regions_[i] = {mirror.region_base(i), mirror.region_size(i)};
}

bool FetchableMemory::can_fetch(const pica::Draw& draw)
{
    if (draw.inputs_revision == 0 || draw.inputs_revision != revision_)
        has_inputs_ = shadergen::can_fetch_inputs(draw.source, regions_);
    revision_ = draw.inputs_revision;
    return has_inputs_ && shadergen::can_fetch_elements(draw.source, regions_);
}

} // namespace renderer
