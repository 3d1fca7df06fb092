// SPDX-License-Identifier: MIT
// Memory fill with a 24-bit pattern, which repeats after three words. pica/hardware/engines.md, "Memory fill".
FIXED_CONSTANTS(FILL_CONSTANTS)

void main()
{
    uint n = group_number();
    if (n < constant_words)
    {
        uint phase = n % 3u;
        uint value = phase == 0u ? constant_pattern0 : phase == 1u ? constant_pattern1 : constant_pattern2;
        store_word(constant_region, constant_first_word + n, value);
    }
}
