// SPDX-License-Identifier: MIT
// GLSL only: executes the instructions of a decoded program (rows as layout.h says), for both kinds of shader unit.
// pica/shader/interpreter.cpp and flow.cpp decide every detail. The text that includes it defines
//   program_row(pc)     uvec4 of a word          PROGRAM_LIMIT  address that acts as END
//   constant_at(n)      vec4, c register         PROGRAM_BOOLS  bool uniforms
//   destination(code)   uint into registers[]    INSTRUCTION_BUDGET, MOVE_BUDGET
//   other_instruction(uvec4 row): what only one of the units has   events   uint, STATUS_*

vec4 registers[PROGRAM_REGISTERS]; // o0..o15, r0..r15 (destination codes), v0..v15, and what a unit adds
int a0x = 0;
int a0y = 0;
bool cmp_x = false;
bool cmp_y = false;
uint pc;
uint executed = 0u;
uint moves = 0u; // moves backwards (pica/shader/flow.h)

// A source operand: fetches, swizzles, then negates.
vec4 source(uvec4 code, uint n)
{
    uint reg = code.y >> (7u * n) & 127u;
    vec4 value;
    if (reg < 32u)
        value = registers[reg < 16u ? reg + 32u : reg];
    else
    {
        int number = int(reg) - 32;
        uint index = code.x >> 23 & 3u;
        if (index != 0u && (code.x >> 25 & 3u) == n)
            number = relative_constant(number, index == 1u ? a0x : index == 2u ? a0y : aL);
        value = constant_at(number);
    }
    uint select = code.z >> (8u * n);
    uint sign = (code.y >> (21u + n) & 1u) << 31;
    return vec4(uintBitsToFloat(floatBitsToUint(value[select & 3u]) ^ sign),
                uintBitsToFloat(floatBitsToUint(value[select >> 2 & 3u]) ^ sign),
                uintBitsToFloat(floatBitsToUint(value[select >> 4 & 3u]) ^ sign),
                uintBitsToFloat(floatBitsToUint(value[select >> 6 & 3u]) ^ sign));
}

bool compare(uint op, float a, float b)
{
    switch (op)
    {
    case 0u: return f24_equal(a, b);
    case 1u: return f24_not_equal(a, b);
    case 2u: return f24_less(a, b);
    case 3u: return f24_less_equal(a, b);
    case 4u: return f24_greater(a, b);
    case 5u: return f24_greater_equal(a, b);
    default: return true;
    }
}

// All instructions with products and sums share the same code: MUL, MAD, ADD and the dot products.
vec4 multiply_add(uint op, vec4 a, vec4 b, vec4 c)
{
    if (op == 0x03u || op == 0x18u) // DPH: src1.w is 1.0 after swizzle and negation
        a.w = 1.0;
    vec4 p = vec4(f24_mul(a.x, b.x), f24_mul(a.y, b.y), f24_mul(a.z, b.z), f24_mul(a.w, b.w));
    if (op == 0x08u)
        return p;
    if (op == 0x04u || op == 0x19u) // DST
        return vec4(1.0, p.y, a.z, b.w);
    if (op == 0x00u || op >= 0x30u)
    {
        vec4 left = op == 0x00u ? a : p;
        vec4 right = op == 0x00u ? b : c;
        return vec4(f24_add(left.x, right.x), f24_add(left.y, right.y), f24_add(left.z, right.z),
                    f24_add(left.w, right.w));
    }
    float sum = f24_add(p.z, f24_add(p.y, p.x));
    return vec4(op == 0x01u ? sum : f24_add(p.w, sum));
}

void execute(uvec4 code)
{
    uint op = code.x & 255u;
    vec4 a = source(code, 0u);
    vec4 b = source(code, 1u);
    vec4 result;
    switch (op)
    {
    case 0x00u: // ADD
    case 0x01u: // DP3
    case 0x02u: // DP4
    case 0x03u: // DPH
    case 0x04u: // DST
    case 0x08u: // MUL
    case 0x18u: // DPHI
    case 0x19u: // DSTI
    case 0x30u: // MADI
    case 0x38u: // MAD
        result = multiply_add(op, a, b, source(code, 2u));
        break;
    case 0x05u:
        result = vec4(f24_ex2(a.x));
        break;
    case 0x06u:
        result = vec4(f24_lg2(a.x));
        break;
    case 0x0Eu:
        result = vec4(f24_rcp(a.x));
        break;
    case 0x0Fu:
        result = vec4(f24_rsq(a.x));
        break;
    case 0x07u: // LITP
        result = vec4(f24_max(a.x, 0.0), f24_min(f24_max(a.y, -127.99609375), 127.99609375), 0.0, f24_max(a.w, 0.0));
        cmp_x = f24_greater_equal(a.x, 0.0);
        cmp_y = f24_greater_equal(a.w, 0.0);
        break;
    case 0x09u: // SGE
    case 0x1Au:
        result = vec4(f24_sge(a.x, b.x), f24_sge(a.y, b.y), f24_sge(a.z, b.z), f24_sge(a.w, b.w));
        break;
    case 0x0Au: // SLT
    case 0x1Bu:
        result = vec4(f24_slt(a.x, b.x), f24_slt(a.y, b.y), f24_slt(a.z, b.z), f24_slt(a.w, b.w));
        break;
    case 0x0Bu:
        result = vec4(f24_floor(a.x), f24_floor(a.y), f24_floor(a.z), f24_floor(a.w));
        break;
    case 0x0Cu:
        result = vec4(f24_max(a.x, b.x), f24_max(a.y, b.y), f24_max(a.z, b.z), f24_max(a.w, b.w));
        break;
    case 0x0Du:
        result = vec4(f24_min(a.x, b.x), f24_min(a.y, b.y), f24_min(a.z, b.z), f24_min(a.w, b.w));
        break;
    case 0x13u: // MOV
        result = a;
        break;
    case 0x12u: // MOVA
        a0x = (code.x & 0x2000u) != 0u ? f24_to_offset(a.x) : a0x;
        a0y = (code.x & 0x4000u) != 0u ? f24_to_offset(a.y) : a0y;
        return;
    case 0x2Eu: // CMP: both flags, whatever the mask [EMU]
        cmp_x = compare(code.x >> 17 & 7u, a.x, b.x);
        cmp_y = compare(code.x >> 20 & 7u, a.y, b.y);
        return;
    default:
        other_instruction(code);
        return;
    }
    uint dst = destination(code.x >> 8 & 31u);
    vec4 old = registers[dst];
    registers[dst] = vec4((code.x & 0x2000u) != 0u ? result.x : old.x, (code.x & 0x4000u) != 0u ? result.y : old.y,
                          (code.x & 0x8000u) != 0u ? result.z : old.z, (code.x & 0x10000u) != 0u ? result.w : old.w);
}

// Executes one instruction. Returns false if the invocation ends.
bool next_instruction()
{
    uvec4 code = program_row(pc);
    uint op = code.x & 255u;
    uint from = pc;
    uint p = pc + 1u;
    pc = p;
    executed++;
    if ((code.w & PROGRAM_FLOW) == 0u)
        execute(code);
    if ((code.w & (PROGRAM_FLOW | PROGRAM_MAY_END)) == 0u)
        return pc < PROGRAM_LIMIT;
    uint target = code.w & 0xFFFu;
    uint end = target + (code.w >> 12 & 255u);
    uint register_id = code.w >> 20 & 15u;
    bool taken;
    if ((code.y & PROGRAM_BOOL_CONDITION) != 0u)
        taken = ((PROGRAM_BOOLS >> register_id & 1u) != 0u) == ((code.y & PROGRAM_BOOL_EXPECTED) != 0u);
    else
        taken = (code.y >> 24 >> ((cmp_x ? 1u : 0u) + (cmp_y ? 2u : 0u)) & 1u) != 0u;
    bool breaking = false;
    switch (op)
    {
    case 0x22u: // END
        return false;
    case 0x20u: // BREAK
    case 0x23u:
        breaking = taken;
        break;
    case 0x24u: // CALL
    case 0x25u:
    case 0x26u:
        if (taken)
        {
            push_call(end, p);
            pc = target;
        }
        break;
    case 0x27u: // IF
    case 0x28u:
        if (taken)
            push_if(target, end);
        else
            pc = target;
        break;
    case 0x2Cu: // JMP
    case 0x2Du:
        if (taken)
            pc = target;
        break;
    case 0x29u: // LOOP
        push_loop(p, target + 1u, INTEGER_ROW(register_id & 3u));
        break;
    default:
        break;
    }
    end_calls(p, pc);
    end_if(p, pc);
    if (breaking && loops.x == EMPTY)
    {
        events |= STATUS_BREAK;
        return false;
    }
    end_loop(p, breaking, pc);
    if (pc <= from)
    {
        moves++;
        if (executed >= INSTRUCTION_BUDGET || moves >= MOVE_BUDGET)
        {
            events |= STATUS_BUDGET;
            return false;
        }
    }
    return pc < PROGRAM_LIMIT;
}
