// SPDX-License-Identifier: MIT
// Exports source code y in every channel, in the way of draws to UNORM targets.
layout(location = 0) flat in uint layer;
layout(location = 0) out vec4 color;

void main()
{
    float code = float(uint(gl_FragCoord.y) & 255u);
    color = vec4((code + 0.25) * uintBitsToFloat(0x3B808081u));
}
