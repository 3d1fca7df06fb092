// SPDX-License-Identifier: MIT
// Triangles that cover the viewport, one for each layer.
layout(location = 0) flat out uint layer;

void main()
{
    layer = uint(gl_VertexIndex / 3);
    int corner = gl_VertexIndex - int(layer) * 3;
    gl_Position = vec4(corner == 1 ? 3.0 : -1.0, corner == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
