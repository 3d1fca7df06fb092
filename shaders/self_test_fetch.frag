// SPDX-License-Identifier: MIT
// Each layer depends on what the layers below it wrote.
layout(input_attachment_index = 0, set = 0, binding = 0) uniform usubpassInput destination;
layout(location = 0) flat in uint layer;
layout(location = 0) out uvec4 color;

void main()
{
    uvec2 p = uvec2(gl_FragCoord.xy);
    color = (subpassLoad(destination) * 5u + uvec4(layer + p.x, p.y, layer, 1u)) & 255u;
}
