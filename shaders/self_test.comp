// SPDX-License-Identifier: MIT
// Self-test in the compute stage: the arithmetic cases, and how many corrections the reciprocal needs over all mantissas.
layout(local_size_x = SELF_TEST_GROUP) in;
layout(std430, set = 0, binding = 0) buffer Results { SelfTestResults results; };

void main()
{
    uint id = gl_GlobalInvocationID.x;
    if (id < ARITHMETIC_CASES)
        results.result[id] = self_test_case(id);
    uint most = 0u;
    for (uint i = 0u; i < MANTISSAS_PER_INVOCATION; i++)
        most = max(most, reciprocal_steps(id * MANTISSAS_PER_INVOCATION + i));
    atomicMax(results.most_steps, most);
}
