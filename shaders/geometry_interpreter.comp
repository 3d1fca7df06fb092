// SPDX-License-Identifier: MIT
// The geometry shader unit for any program, without compilation. The decoded rows come after the unit's state;
// shadergen/geometry_interpreter.h makes them. Invocations run in parallel or one after the other, like those of generated
// programs (shadergen/geometry.cpp). One after the other they share the rounds of a dispatch. When the rounds are used up,
// the next dispatch continues, even in the middle of an invocation.
//
// llvmpipe ends the loops of a shader after 65535 rounds in total, and a loop in a branch that is not taken still counts
// one round. So there is only one loop, and what would be an inner loop is a phase of it.

vec4 slots[21]; // three vertices of seven outputs
uint outputs;   // mask of the outputs that EMIT copies to a slot
uint output_map[6];
bool obeys_winding;

const uint PHASE_BEGIN = 0u;
const uint PHASE_FEED = 1u;     // step: input or constant
const uint PHASE_RUN = 2u;      // two instructions
const uint PHASE_EMIT = 3u;     // step: vertex of a primitive
const uint PHASE_ASSEMBLE = 4u; // step: emitted vertex
const uint PHASE_END = 5u;
uint phase = PHASE_BEGIN;
uint phase_step = 0u;
uint done = 0u;   // complete invocations
uint before = 0u; // `drawn` when the invocation began
bool ends = false; // the invocation ends after what is emitted

uint info(uint word) { return state[uint(STATE_PROGRAM) + word]; }

void write_semantic(uint base, uint slot, uint semantic)
{
    uint component = output_map[semantic >> 2] >> ((semantic & 3u) * 8u) & 255u;
    if (component >= 28u)
        return;
    float value = slots[slot + (component >> 2)][component & 3u];
    if (semantic >= uint(SEMANTIC_QUATERNION))
        value = semantic >= uint(SEMANTIC_COLOR) && semantic < uint(SEMANTIC_TEXCOORD0) ? vertex_color(value)
                                                                                        : vertex_attribute(value);
    shaded[base + semantic] = value;
}

void write_vertex(uint vertex, uint slot)
{
    uint base = (u.draw.first_shaded + vertex) * uint(SHADED_FLOATS);
    // Semantics that are not mapped were filled with ones before (VertexExecutor::clear_emitted).
    write_semantic(base, slot, 0u);
    write_semantic(base, slot, 1u);
    write_semantic(base, slot, 2u);
    write_semantic(base, slot, 3u);
    write_semantic(base, slot, 4u);
    write_semantic(base, slot, 5u);
    write_semantic(base, slot, 6u);
    write_semantic(base, slot, 7u);
    write_semantic(base, slot, 8u);
    write_semantic(base, slot, 9u);
    write_semantic(base, slot, 10u);
    write_semantic(base, slot, 11u);
    write_semantic(base, slot, 12u);
    write_semantic(base, slot, 13u);
    write_semantic(base, slot, 14u);
    write_semantic(base, slot, 15u);
    write_semantic(base, slot, 16u);
    write_semantic(base, slot, 17u);
    write_semantic(base, slot, 18u);
    write_semantic(base, slot, 19u);
    write_semantic(base, slot, 20u);
    write_semantic(base, slot, 21u);
    write_semantic(base, slot, 22u);
    write_semantic(base, slot, 23u);
}

void copy_output(uint n, inout uint slot)
{
    if ((outputs >> n & 1u) != 0u)
        slots[slot++] = registers[destination(n)];
}

// Copies outputs to the latched slot and exchanges the banks. True if the three slots are now a primitive that is kept.
bool emit_vertex()
{
    uint vertex = latch & 3u;
    if (vertex != 3u)
    {
        uint at = 7u * vertex;
        copy_output(0u, at);
        copy_output(1u, at);
        copy_output(2u, at);
        copy_output(3u, at);
        copy_output(4u, at);
        copy_output(5u, at);
        copy_output(6u, at);
    }
    else
        events |= STATUS_BAD_SLOT;
    bank ^= 1u;
    if (vertex == 3u || (latch & 4u) == 0u)
        return false;
    if (primitives >= MAX_PRIMITIVES || drawn >= MAX_DRAWN)
    {
        events |= STATUS_PRIMITIVES_LOST;
        primitives++;
        return false;
    }
    bool kept = feed_assembles ? primitives < u.geometry_range.primitives
                               : first_primitive + primitives < u.assembly.triangles && (u.geometry.flags & GEOMETRY_SILENT) == 0u;
    primitives += kept ? 0u : 1u;
    return kept;
}

// Vertices for the primitive assembler wait in rows before the draw's.
void write_emitted()
{
    bool inverted = obeys_winding && (latch & 8u) != 0u;
    uint first = feed_assembles ? 3u * primitives - 3u * u.geometry_range.primitives : 3u * (first_primitive + primitives);
    write_vertex(first + phase_step, 7u * (inverted && !feed_assembles && phase_step != 2u ? 1u - phase_step : phase_step));
    if (feed_assembles && phase_step == 0u)
        shaded[emitted_row(3u * primitives) + ROW_WINDING] = inverted ? 2.0 : 1.0;
    phase_step++;
    if (phase_step == 3u)
    {
        drawn++;
        primitives++;
    }
}

void load_program()
{
    outputs = info(uint(PROGRAM_INFO_OUTPUTS)) & 0x7Fu;
    obeys_winding = (info(uint(PROGRAM_INFO_OUTPUTS)) >> 16 & 1u) != 0u;
    feed_assembles = (info(uint(PROGRAM_INFO_OUTPUTS)) >> 17 & 1u) != 0u;
    feed_mode = int(info(uint(PROGRAM_INFO_MODE)));
    feed_attributes = int(info(uint(PROGRAM_INFO_ATTRIBUTES)));
    feed_vertices = int(info(uint(PROGRAM_INFO_VERTICES)));
    feed_first = int(info(uint(PROGRAM_INFO_FIRST)));
    program_limit = info(uint(PROGRAM_INFO_LIMIT));
    for (uint n = 0u; n < 6u; n++)
        output_map[n] = info(uint(PROGRAM_INFO_MAP) + n);
}

void load_registers()
{
    for (uint n = 0u; n < 16u; n++)
    {
        registers[n] = state_vector(uint(STATE_BANKS) + 4u * n);
        registers[16u + n] = state_vector(uint(STATE_TEMPORARIES) + 4u * n);
        registers[32u + n] = state_vector(uint(STATE_INPUTS) + 4u * n);
        registers[48u + n] = state_vector(uint(STATE_BANKS) + 64u + 4u * n);
    }
    for (uint n = 0u; n < 21u; n++)
        slots[n] = state_vector(uint(STATE_SLOTS) + 4u * n);
    a0x = int(state[STATE_A0X]);
    a0y = int(state[STATE_A0Y]);
    aL = int(state[STATE_AL]);
    cmp_x = (state[STATE_FLAGS] & 1u) != 0u;
    cmp_y = (state[STATE_FLAGS] & 2u) != 0u;
    latch = state[STATE_LATCH];
    bank = state[STATE_BANK] & 1u;
    covered = state[STATE_COVERED];
}

void keep_registers()
{
    for (uint n = 0u; n < 16u; n++)
    {
        keep_vector(uint(STATE_BANKS) + 4u * n, registers[n]);
        keep_vector(uint(STATE_TEMPORARIES) + 4u * n, registers[16u + n]);
        keep_vector(uint(STATE_INPUTS) + 4u * n, registers[32u + n]);
        keep_vector(uint(STATE_BANKS) + 64u + 4u * n, registers[48u + n]);
    }
    for (uint n = 0u; n < 21u; n++)
        keep_vector(uint(STATE_SLOTS) + 4u * n, slots[n]);
    state[STATE_A0X] = uint(a0x);
    state[STATE_A0Y] = uint(a0y);
    state[STATE_AL] = uint(aL);
    state[STATE_FLAGS] = (cmp_x ? 1u : 0u) | (cmp_y ? 2u : 0u);
    state[STATE_LATCH] = latch;
    state[STATE_BANK] = bank;
    state[STATE_COVERED] = covered;
}

uvec4 state_words(uint at) { return uvec4(state[at], state[at + 1u], state[at + 2u], state[at + 3u]); }

void keep_words(uint at, uvec4 words)
{
    state[at] = words.x;
    state[at + 1u] = words.y;
    state[at + 2u] = words.z;
    state[at + 3u] = words.w;
}

void choose_invocation(uint number)
{
    invocation = number;
    bools = u.draw.bools | (number != 0u ? 0x8000u : 0u); // b15: set unless it is the first invocation of the draw
}

// Continues an invocation that the previous dispatch left incomplete.
void load_progress(uint first)
{
    done = state[STATE_DONE];
    phase = state[STATE_PHASE] & 7u;
    ends = (state[STATE_PHASE] & 8u) != 0u;
    phase_step = state[STATE_STEP];
    before = state[STATE_BEFORE];
    pc = state[STATE_PC];
    executed = state[STATE_EXECUTED];
    moves = state[STATE_MOVES];
    primitives = state[STATE_PRIMITIVES];
    calls = state_words(uint(STATE_CALLS));
    ifs = state_words(uint(STATE_IFS));
    older_ifs = state_words(uint(STATE_IFS) + 4u);
    loops = state_words(uint(STATE_LOOPS));
    loop_counts = state_words(uint(STATE_LOOPS) + 4u);
    loop_outer_aL = ivec4(state_words(uint(STATE_LOOPS) + 8u));
    choose_invocation(first + done);
}

void keep_progress()
{
    state[STATE_DONE] = done;
    state[STATE_PHASE] = phase | (ends ? 8u : 0u);
    state[STATE_STEP] = phase_step;
    state[STATE_BEFORE] = before;
    state[STATE_PC] = pc;
    state[STATE_EXECUTED] = executed;
    state[STATE_MOVES] = moves;
    state[STATE_PRIMITIVES] = primitives;
    keep_words(uint(STATE_CALLS), calls);
    keep_words(uint(STATE_IFS), ifs);
    keep_words(uint(STATE_IFS) + 4u, older_ifs);
    keep_words(uint(STATE_LOOPS), loops);
    keep_words(uint(STATE_LOOPS) + 4u, loop_counts);
    keep_words(uint(STATE_LOOPS) + 8u, uvec4(loop_outer_aL));
}

void begin_invocation(uint number)
{
    choose_invocation(number);
    primitives = 0u;
    executed = 0u;
    moves = 0u;
    pc = info(uint(PROGRAM_INFO_ENTRY));
    calls = uvec4(EMPTY);
    ifs = uvec4(EMPTY);
    older_ifs = uvec4(EMPTY);
    loops = uvec4(EMPTY);
    before = drawn;
}

// How many inputs or constants the invocation is fed before it runs. With parallel invocations, constants stay where they
// are.
uint feed_steps()
{
    return feed_mode == 0 ? info(uint(PROGRAM_INFO_INPUTS)) : sequential ? fed_count() : 0u;
}

void feed()
{
    if (feed_mode != 0)
    {
        keep_fed_value(phase_step);
        covered = max(covered, phase_step + 1u);
        return;
    }
    uint attributes = uint(feed_attributes);
    uint vertex = invocation * (info(uint(PROGRAM_INFO_INPUTS)) / attributes) + phase_step / attributes;
    registers[32u + (info(uint(PROGRAM_INFO_TARGETS) + phase_step / 4u) >> (8u * (phase_step & 3u)) & 15u)] =
        vertex_attribute_of(vertex, phase_step % attributes);
}

// The phases after the program.
void end_program()
{
    phase_step = 0u;
    phase = feed_assembles && drawn != before ? PHASE_ASSEMBLE : PHASE_END;
}

// One round of the loop. first: number of the dispatch's first invocation.
void advance(uint first)
{
    switch (phase)
    {
    case PHASE_BEGIN:
        begin_invocation(first + done);
        phase_step = 0u;
        phase = PHASE_FEED;
        break;
    case PHASE_FEED:
        if (phase_step < feed_steps())
        {
            feed();
            phase_step++;
        }
        else if (pc < program_limit)
            phase = PHASE_RUN;
        else
            end_program();
        break;
    case PHASE_RUN:
        ends = !next_instruction();
        if (!ends && !emitting)
            ends = !next_instruction();
        if (emitting && emit_vertex())
        {
            phase_step = 0u;
            phase = PHASE_EMIT;
        }
        else if (ends)
            end_program();
        emitting = false;
        break;
    case PHASE_EMIT:
        write_emitted();
        if (phase_step == 3u && ends)
            end_program();
        else if (phase_step == 3u)
            phase = PHASE_RUN;
        break;
    case PHASE_ASSEMBLE:
        assemble_row(phase_step);
        phase_step++;
        if (phase_step == 3u * (drawn - before))
            phase = PHASE_END;
        break;
    default:
        first_primitive += min(primitives, MAX_PRIMITIVES);
        done++;
        phase = PHASE_BEGIN;
        break;
    }
}

void main()
{
    uint i =
        (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(COMPUTE_GROUP) + gl_LocalInvocationID.x;
    sequential = (u.geometry.flags & GEOMETRY_SEQUENTIAL) != 0u;
    if (i >= (sequential ? 1u : u.geometry.count))
        return;
    load_program();
    load_registers();
    uint first = u.geometry.first + i;
    uint count = sequential ? u.geometry.count : 1u;
    if ((u.geometry.flags & GEOMETRY_ODD) != 0u)
        bank ^= (first - u.geometry_range.first_of_draw) & 1u;
    first_primitive = u.geometry_range.first_slot + (first - u.geometry_range.first_of_part) * u.geometry_range.primitives;
    if (sequential)
    {
        bool fresh = (u.geometry.flags & GEOMETRY_NEW_DRAW) != 0u;
        covered = fresh ? 0u : covered;
        drawn = fresh ? 0u : state[STATE_DRAWN];
        first_primitive = (u.geometry.flags & GEOMETRY_NEW_PART) != 0u ? 0u : state[STATE_PLACED];
        if (feed_assembles)
            load_assembler();
    }
    if ((u.geometry.flags & GEOMETRY_RESUMES) != 0u)
        load_progress(first);
    for (uint rounds = 0u; rounds < INTERPRETED_ROUNDS && (phase != PHASE_BEGIN || done < count); rounds++)
        advance(first);
    if (sequential)
    {
        if (done == count && first + count == u.draw.count)
            keep_left();
        if (feed_assembles)
            keep_assembler();
        keep_registers();
        keep_progress();
        state[STATE_PLACED] = first_primitive;
        state[STATE_DRAWN] = drawn;
    }
    if (done != count && (u.geometry.flags & GEOMETRY_LAST) != 0u)
        events |= STATUS_UNFINISHED;
    if (events != 0u)
        atomicOr(status[u.output_target.command], events);
}
