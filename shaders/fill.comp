// SPDX-License-Identifier: MIT
// Memory fill with a 24-bit pattern, which repeats after three words. pica/hardware/engines.md, "Memory fill".
#define FILL_REGION fixed_word_0
#define FILL_WORD constant_word[1]
#define FILL_COUNT constant_word[2]
#define FILL_PATTERN constant_word[3] // and the two after it

void main()
{
    uint n = group_number();
    if (n < FILL_COUNT)
    {
        uint phase = n % 3u;
        uint value = phase == 0u ? constant_word[3] : phase == 1u ? constant_word[4] : constant_word[5];
        store_word(FILL_REGION, FILL_WORD + n, value);
    }
}
