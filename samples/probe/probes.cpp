// SPDX-License-Identifier: MIT
#include "samples/probe/probes.h"

namespace samples
{

namespace
{

constexpr EquivalentWork kEquivalent[] = {
    {"the first buffer", probe_attribute_twice, 1},
    {"counted double", probe_element_count, 1},
    {"0x25E does not restart", probe_strip_restart, 1},
    {"the mirror restarts", probe_strip_mirror, 1},
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
    // From here on, documents speak of hangs, or nobody has tried it.
    {"0x2E0 acts as the vertex shader's bank", probe_stored_banks, 1},
    {"0x310 acts as the vertex shader's bank", probe_stored_banks, 2},
    {"it counts", probe_subnormal_plane, 1},
    {"NaN counts as 0", probe_nan_position, 1},
    {"as id 0", probe_emit_slot, 1},
    {"kept for the next draw", probe_geometry_leftover, 1},
    {"rounded down", probe_geometry_inputs, 1},
    {"it counts", probe_jump_parameters, 1},
    {"it jumps", probe_jump_zero, 1},
    {"the last command is executed", probe_odd_list, 1},
    {"the list ends", probe_no_autostop, 1},
    {"goes on with word 0", probe_code_end, 1},
    {"16 bits", probe_depth_format, 1},
    {"24 bits", probe_depth_format, 2},
    {"24 bits and stencil", probe_depth_format, 3},
    {"nothing is drawn", probe_index_past_end, 1},
};

} // namespace

std::vector<Probe> all_probes()
{
    std::vector<Probe> probes = {probe_rcp(),
                                 probe_rsq(),
                                 probe_rsq_odd(),
                                 probe_ex2(),
                                 probe_lg2(),
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
                                 probe_light_environment(),
                                 probe_attribute_clock(),
                                 probe_line_pattern(),
                                 probe_early_depth()};
    for (const EquivalentWork& work : kEquivalent)
        if (work.variant == 1)
            probes.push_back(work.make(0));
    return probes;
}

std::span<const EquivalentWork> equivalent_work()
{
    return kEquivalent;
}

} // namespace samples
