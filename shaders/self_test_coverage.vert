// SPDX-License-Identifier: MIT
// Self-test of coverage: snapped positions as in draws (shadergen/raster_vertex.cpp), and a number for each triangle.
#define MEMBER(type, name) type name;
layout(push_constant) uniform Push { PUSH_GRAPHICS(MEMBER) };
layout(location = 0) in ivec2 vertex;
layout(location = 0) flat out uint triangle;

void main()
{
    triangle = uint(first_record + gl_VertexIndex / 3);
    gl_Position = vec4(vec2(vertex - origin) * scale - 1.0, 0.0, 1.0);
}
