// SPDX-License-Identifier: MIT
// Self-test in the compute stage: the arithmetic cases, and how many corrections the reciprocal needs over all mantissas.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Results { uint most_steps; uint unused0; uint unused1; uint unused2; uint result[]; };

void main()
{
    uint id = gl_GlobalInvocationID.x;
    if (id < ARITHMETIC_CASES)
        result[id] = self_test_case(id);
    uint most = 0u;
    for (uint i = 0u; i < MANTISSAS_PER_INVOCATION; i++)
        most = max(most, reciprocal_steps(id * MANTISSAS_PER_INVOCATION + i));
    atomicMax(most_steps, most);
}
