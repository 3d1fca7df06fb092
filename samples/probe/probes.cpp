// SPDX-License-Identifier: MIT
#include "samples/probe/probes.h"

#include "samples/probe/probe_scene.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr EquivalentWork kEquivalent[] = {
    {"the first buffer", probe_attribute_twice, 1},
    {"counted double", probe_element_count, 1},
    {"0x25E does not restart", probe_strip_restart, 1},
    {"the mirror restarts", probe_strip_mirror, 1},
    {"a trigger restarts", probe_strip_trigger, 1},
    {"each draw begins anew", probe_list_leftover, 1},
    {"the lower", probe_attribute_register, 1},
    {"the new value", probe_fixed_in_strip, 1},
    {"vertices of the draw before", probe_vertex_cache, 1},
    {"at the even address", probe_odd_index, 1},
    {"nothing is drawn", probe_trigger_mask, 1},
    {"other bytes are 0", probe_port_mask, 1},
    {"the word is dropped", probe_port_mask, 2},
    {"words are kept", probe_partial_at_index, 1},
    {"the end of a list drops them", probe_partial_at_end, 1},
    {"the command is executed", probe_finalize_tail, 1},
    {"positions are turned over", probe_flip, 1},
    {"not clipped at the sides", probe_guard_band, 1},
    {"the triangle is dropped", probe_negative_w, 1},
    {"y before x", probe_clip_order, 1},
    {"lines are drawn", probe_zero_area, 1},
    {"0", probe_stage0_previous, 1},
    {"the primary colour", probe_stage0_previous, 2},
    {"pixels of the same draw", probe_texture_feedback, 1},
    {"operands change places", probe_dsti, 1},
    {"the mask counts", probe_compare_mask, 1},
    {"both are false", probe_compare_codes, 1},
    {"only 6 is true", probe_compare_codes, 2},
    {"only 7 is true", probe_compare_codes, 3},
    {"8 bits", probe_loop_width, 1},
    {"BREAKC adds the step", probe_loop_break, 1},
    {"vertex 0 of what clipping leaves", probe_quaternion_sign, 1},
    {"alpha is 1", probe_lighting_off, 1},
    {"the primary colour", probe_lighting_off, 2},
    {"it is 0", probe_nan_color, 1},
    {"the width of the output", probe_transfer_pitch, 1},
    {"the sum wraps", probe_gas_sum, 1},
    {"less", probe_gas_depth_function, 1},
    {"differences count once", probe_gas_table, 1},
    {"two's complement", probe_gas_table, 2},
    {"always", probe_gas_never, 1},
    {"rounded to nearest", probe_gas_share, 1},
    {"the line of sight counts for both", probe_gas_light, 1},
    {"it grows with density", probe_gas_light, 2},
    {"the primary colour", probe_combiner_sources, 1},
    {"255", probe_combiner_sources, 2},
    {"odd codes invert", probe_combiner_operands, 1},
    {"0", probe_combiner_operands, 2},
    {"they replace", probe_combiner_operations, 1},
    {"bit 3 has no effect", probe_combiner_operations, 2},
    {"6 replaces, 7 is the dot product", probe_combiner_alpha_dot, 1},
    {"the sum is not cut", probe_combiner_saturation, 1},
    {"fractions go on to the next stage", probe_combiner_stage_bits, 1},
    {"the stored colour", probe_read_gate, 1},
    {"they keep theirs", probe_read_gate_mask, 1},
    {"bit 0 is for the stencil, bit 1 for depth", probe_depth_gate, 1},
    {"the colour mask counts", probe_shadow_map_masks, 1},
    {"the depth test counts", probe_shadow_map_masks, 2},
    {"it turns with the flip", probe_cull_flip, 1},
    {"every other column", probe_pixel_pattern, 1},
    {"a chequerboard", probe_pixel_pattern, 2},
    {"colours change faster", probe_viewport_inverse, 1},
    {"255", probe_alpha_format, 1},
    {"rounded to nearest", probe_texel_expansion, 1},
    {"texels of the edge", probe_border_taps, 1},
    {"it stops at the ends", probe_etc1_overflow, 1},
    {"of u and v before the division", probe_projection_level, 1},
    {"of the direction", probe_cube_level, 1},
    {"behind each light", probe_light_saturation, 1},
    {"as mode 1", probe_bump_mode, 1},
    {"0", probe_half_subnormal, 1},
    {"0", probe_floor_infinity, 1},
    {"lg2(-x) is lg2(x)", probe_exponent_ends, 1},
    {"no infinities", probe_exponent_ends, 2},
    {"it leaves 0", probe_mov_subnormal, 1},
    {"no light", probe_zero_quaternion, 1},
    {"not on specular light", probe_light_spot, 1},
    {"N.H is 1", probe_half_vector, 1},
    {"20 RR, 22 RB", probe_reflection_bits, 1},
    {"the length of the step", probe_level_length, 1},
    {"up to one half", probe_magnification_end, 1},
    {"the level before it is bounded", probe_level_bounds, 1},
    {"rows of memory", probe_scissor_flip, 1},
    {"the colour stays", probe_shared_target, 1},
    {"the depth stays", probe_shared_target, 2},
    {"in the next row of tiles", probe_outside_target, 1},
    {"at the beginning of their row", probe_outside_target, 2},
    {"the stored stencil is 0", probe_stencil_formats, 1},
    {"the stored stencil is 255", probe_stencil_formats, 2},
    {"no test passes", probe_stencil_formats, 3},
    {"the stored stencil counts", probe_stencil_read_gate, 1},
    {"bit 2 has no effect", probe_procedural_clamp, 1},
    {"as pulses", probe_procedural_clamp, 2},
    {"as odd", probe_procedural_shift, 1},
    {"as even", probe_procedural_shift, 2},
    {"bit 3 has no effect", probe_procedural_function, 1},
    {"bit 2 has no effect", probe_procedural_filter, 1},
    {"bit 1 has no effect", probe_procedural_filter, 2},
    {"bits 1 and 2 have no effect", probe_procedural_filter, 3},
    {"the lowest level holds", probe_procedural_limits, 1},
    {"the last level of one colour", probe_procedural_narrow, 1},
    {"as set 0", probe_procedural_set, 1},
    {"as set 1", probe_procedural_set, 2},
    {"as 0", probe_procedural_frequency, 1},
    {"all count", probe_extreme_coordinates, 1},
    {"the small ones count", probe_extreme_coordinates, 2},
    {"the large ones count", probe_extreme_coordinates, 3},
    {"they do not", probe_triangle_order, 1},
    {"they are the vertex program's", probe_geometry_registers, 1},
    {"they are 0", probe_geometry_registers, 2},
    {"the scissor does not count", probe_shadow_map_bounds, 1},
    {"culling does not count", probe_shadow_map_bounds, 2},
    {"nothing is drawn in 16 bits", probe_shadow_map_bounds, 3},
    {"the stored depth counts", probe_depth_read_gate, 1},
    {"bit 0 is for the stencil, bit 1 for depth", probe_depth_read_bits, 1},
    {"a bit for each channel", probe_color_read_bits, 1},
    {"from -1e-8 on", probe_clip_tolerance, 1},
    {"none", probe_depth_tolerance, 1},
    {"more than 1e-5", probe_depth_tolerance, 2},
    {"1/16 and 1/8", probe_light_scales, 1},
    {"0", probe_light_scales, 2},
    {"bit 2 has no effect", probe_light_inputs, 1},
    {"it is there", probe_last_level, 1},
    // From here on, documents speak of hangs, or nobody has tried it (kFirstThatMayHang).
    {"0x2E0 acts as the vertex shader's bank", probe_stored_banks, 1},
    {"0x310 acts as the vertex shader's bank", probe_stored_banks, 2},
    {"the earlier", probe_semantic_twice, 1},
    {"it counts", probe_subnormal_plane, 1},
    {"NaN counts as 0", probe_nan_position, 1},
    {"as id 0", probe_emit_slot, 1},
    {"0x289 bit 8 has no effect", probe_geometry_contradiction, 1},
    {"inputs go to uniforms", probe_geometry_contradiction, 2},
    {"the program runs", probe_geometry_empty, 1},
    {"(0, 0, 0, 1)", probe_geometry_attribute, 1},
    {"1 in all components", probe_geometry_attribute, 2},
    // These may leave inputs of an unfinished invocation in the unit, so other probes of it come before them.
    {"kept for the next draw", probe_geometry_leftover, 1},
    {"rounded down", probe_geometry_inputs, 1},
    {"the program runs", probe_geometry_cut, 1},
    {"not scaled", probe_transfer_scale, 1},
    {"half the width", probe_transfer_scale, 2},
    {"half of both", probe_transfer_scale, 3},
    {"not scaled", probe_transfer_linear_scale, 1},
    {"scaled as linear", probe_transfer_linear_scale, 2},
    {"half the width", probe_transfer_linear_scale, 3},
    {"it counts", probe_jump_parameters, 1},
    {"it jumps", probe_jump_zero, 1},
    {"the last command is executed", probe_odd_list, 1},
    {"the list ends", probe_no_autostop, 1},
    {"goes on with word 0", probe_code_end, 1},
    {"RGBA8", probe_color_format, 1},
    {"RGBA4", probe_color_format, 2},
    {"RGB5A1", probe_color_size, 1},
    {"RGB565", probe_color_size, 2},
    {"RGBA4", probe_color_size, 3},
    {"16 bits", probe_depth_format, 1},
    {"24 bits", probe_depth_format, 2},
    {"24 bits and stencil", probe_depth_format, 3},
    {"nothing is drawn", probe_index_past_end, 1},
    {"all bits are 1", probe_texture_past_end, 1},
    {"VRAM begins again", probe_texture_past_end, 2},
    {"the last tile repeats", probe_texture_past_end, 3},
    {"transparent black", probe_texture_nowhere, 1},
    {"opaque white", probe_texture_nowhere, 2},
    {"something else", probe_texture_nowhere, 3},
};

constexpr Probe (*kFirstThatMayHang)(u32 variant) = probe_stored_banks;

} // namespace

std::vector<Probe> all_probes()
{
    std::vector<Probe> probes = {probe_rcp(),
                                 probe_rsq(),
                                 probe_rsq_odd(),
                                 probe_ex2(),
                                 probe_lg2(),
                                 probe_lg2_below(),
                                 probe_add_rounding(),
                                 probe_mul_rounding(),
                                 probe_mad_rounding(),
                                 probe_dot_order(),
                                 probe_combiner_rounding(),
                                 probe_add_signed(),
                                 probe_dot_product(),
                                 probe_blend_rounding(),
                                 probe_blend_factor15(),
                                 probe_blend_minimum(),
                                 probe_alpha_stencil_order(),
                                 probe_color_gate(),
                                 probe_texture_off(),
                                 probe_block32(),
                                 probe_color_rounding(),
                                 probe_depth_code(),
                                 probe_fog_rounding(),
                                 probe_snap(),
                                 probe_fill_rule(),
                                 probe_weight_bias(),
                                 probe_interpolation(),
                                 probe_viewport_order(),
                                 probe_small_weights(),
                                 probe_texel_ties(),
                                 probe_attribute_conversion(),
                                 probe_texel_below_zero(),
                                 probe_filter_weights(),
                                 probe_level_fraction(),
                                 probe_nearest_level(),
                                 probe_border_alpha(),
                                 probe_target_truncation(),
                                 probe_transfer_average(),
                                 probe_transfer_conversion(),
                                 probe_light_rounding(),
                                 probe_light_table(),
                                 probe_shadow_texture(),
                                 probe_compare_nan(),
                                 probe_max_infinity(),
                                 probe_unloaded_attribute(),
                                 probe_mova(),
                                 probe_shadow_write(),
                                 probe_procedural_map(),
                                 probe_procedural_divisor(),
                                 probe_procedural_amplitude(),
                                 probe_projection_division(),
                                 probe_cube_division(),
                                 probe_light_environment(),
                                 probe_attribute_clock(),
                                 probe_line_pattern(),
                                 probe_early_depth()};
    bool may_hang = false;
    for (const EquivalentWork& work : kEquivalent)
    {
        if (work.variant != 1)
            continue;
        probes.push_back(work.make(0));
        may_hang = may_hang || work.make == kFirstThatMayHang;
        // A probe that stops nothing but drawing would be done, and the next one would hang in its place.
        if (may_hang)
            probes.back().ask_canary();
    }
    return probes;
}

// Bytes of the square are of no interest: only that something was drawn there.
Probe canary_probe()
{
    Probe probe("canary");
    constexpr u32 kClear = 0x12345678;
    ProbeScene scene = square_scene();
    scene.upload_vertices(probe);
    scene.clear(probe, kClear, 0);
    probe.list(scene.draw(0, 6).finish());
    probe.check_drawn(ProbeLayout::kColor, kSquare * kSquare * 4, kClear);
    return probe;
}

std::span<const EquivalentWork> equivalent_work()
{
    return kEquivalent;
}

} // namespace samples
