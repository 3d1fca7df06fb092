// SPDX-License-Identifier: MIT
// The vertex stage for any program: each invocation runs the decoded words (ProgramBlock, made by
// shadergen/vertex_interpreter.h) for one vertex, with the functions that generated programs call. No program has to be
// compiled.

void main()
{
    uint i = invocation_index();
    if (i >= u.draw.count)
        return;
    for (uint n = 0u; n < 48u; n++)
        registers[n] = vec4(0.0);
    uint vertex = vertex_number(i);
    for (uint n = 0u; n < 16u; n++)
        if ((program.info.inputs >> n & 1u) != 0u)
            registers[32u + n] = fetch_input(n, vertex);
    pc = program.info.entry;
    // Two instructions in each round, because llvmpipe ends the loops of a shader after 65535 rounds in total, which is
    // less than the instruction budget.
    if (pc < PROGRAM_LIMIT)
        while (next_instruction())
            if (!next_instruction())
                break;
    if (events != 0u)
        atomicOr(status[u.output_target.command], events);
    if (program.info.fed != 0u) // before a geometry program: outputs are stored unchanged
    {
        uint base = u.draw.first_shaded * uint(SHADED_FLOATS) + i * program.info.fed;
        for (uint n = 0u; n < program.info.fed; n++)
        {
            uint output_register = program.output_map[n >> 6][n >> 4 & 3u] >> ((n >> 2 & 3u) * 8u) & 255u;
            shaded[base + n] = output_register < 16u ? registers[output_register][n & 3u] : 0.0;
        }
        return;
    }
    uint base = (u.draw.first_shaded + i) * uint(SHADED_FLOATS);
    for (uint semantic = 0u; semantic < uint(SHADED_FLOATS); semantic++)
    {
        uint component = program.output_map[semantic >> 4][semantic >> 2 & 3u] >> ((semantic & 3u) * 8u) & 255u;
        float value = component < 64u ? registers[component >> 2][component & 3u] : 1.0;
        if (component < 64u && semantic >= uint(SEMANTIC_QUATERNION))
            value = semantic >= uint(SEMANTIC_COLOR) && semantic < uint(SEMANTIC_TEXCOORD0) ? vertex_color(value)
                                                                                            : vertex_attribute(value);
        shaded[base + semantic] = value;
    }
}
