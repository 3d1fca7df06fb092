// SPDX-License-Identifier: MIT
#include "renderer/cache/device_key.h"

#include "pica/base/bytes.h"

#include <string_view>

namespace renderer
{

namespace
{

void append_text(std::vector<u8>& key, std::string_view text)
{
    pica::append_word(key, static_cast<u32>(text.size()));
    key.insert(key.end(), text.begin(), text.end());
}

} // namespace

std::vector<u8> device_key(const Device& device)
{
    std::vector<u8> key;
    const VkPhysicalDeviceProperties& properties = device.properties;
    for (const u32 word : {properties.vendorID, properties.deviceID, properties.driverVersion,
                           properties.apiVersion, static_cast<u32>(device.driver_id)})
        pica::append_word(key, word);
    pica::append_bytes(key, device.driver_uuid);
    pica::append_bytes(key, properties.pipelineCacheUUID);
    append_text(key, properties.deviceName);
    append_text(key, device.driver_name);
    append_text(key, device.driver_info);
    const Features& f = device.features;
    for (const bool feature :
         {f.rasterization_order_access, f.fragment_interlock, f.logic_op, f.multi_draw_indirect, f.float_rte,
          f.float_nan_preserve, f.beyond_stride, f.fragment_stores, f.branches, f.depth_stencil, f.votes,
          f.gathers, f.inlined_calls, f.flat_constants})
        key.push_back(feature ? 1 : 0);
    return key;
}

} // namespace renderer
