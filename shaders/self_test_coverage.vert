// SPDX-License-Identifier: MIT
// Self-test of coverage: snapped positions as in draws (shadergen/raster_vertex.cpp), and a number for each triangle.
layout(push_constant) uniform Push { ivec2 origin; float scale; int first; };
layout(location = 0) in ivec2 vertex;
layout(location = 0) flat out uint triangle;

void main()
{
    triangle = uint(first + gl_VertexIndex / 3);
    gl_Position = vec4(vec2(vertex - origin) * scale - 1.0, 0.0, 1.0);
}
