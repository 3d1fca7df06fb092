// SPDX-License-Identifier: MIT
// All probes, one function each. The table of rules (rules.h) names them.
#pragma once

#include "samples/probe/probe.h"

#include <span>
#include <string_view>
#include <vector>

namespace samples
{

// Programs and vertices (probes_vertex.cpp).
Probe probe_rcp();
Probe probe_rsq();
Probe probe_rsq_odd();
Probe probe_ex2();
Probe probe_lg2();
Probe probe_lg2_below();
Probe probe_add_rounding();
Probe probe_mul_rounding();
Probe probe_mad_rounding();
Probe probe_dot_order();
// Fragments (probes_fragment.cpp).
Probe probe_combiner_rounding();
Probe probe_add_signed();
Probe probe_dot_product();
Probe probe_blend_rounding();
Probe probe_blend_factor15();
Probe probe_blend_minimum();
Probe probe_alpha_stencil_order();
Probe probe_color_gate();
Probe probe_texture_off();
Probe probe_block32();
Probe probe_shadow_write();
// Rasterisation, depth, fog (probes_raster.cpp).
Probe probe_color_rounding();
Probe probe_depth_code();
Probe probe_depth_code16();
Probe probe_fog_rounding();
Probe probe_snap();
Probe probe_fill_rule();
Probe probe_weight_bias();
Probe probe_attribute_conversion();
Probe probe_mova();
Probe probe_line_pattern();
Probe probe_early_depth();
Probe probe_attribute_clock();
// From vertices to values of fragments (probes_interpolation.cpp).
Probe probe_interpolation();
Probe probe_viewport_order();
Probe probe_small_weights();
Probe probe_texel_ties();
// Texture units, transfers (probes_texture.cpp).
Probe probe_texel_below_zero();
Probe probe_filter_weights();
Probe probe_level_fraction();
Probe probe_nearest_level();
Probe probe_level_quad();
Probe probe_border_alpha();
Probe probe_transfer_average();
Probe probe_transfer_conversion();
// Procedural textures (probes_procedural.cpp).
Probe probe_procedural_map();
Probe probe_procedural_divisor();
Probe probe_procedural_rounding();
Probe probe_procedural_amplitude();
// Texture coordinates (probes_coordinates.cpp).
Probe probe_projection_division();
Probe probe_cube_division();
Probe probe_cube_ties();
Probe probe_nan_coordinate(pica::u32 variant);
// Lighting (probes_light.cpp).
Probe probe_light_rounding();
Probe probe_light_table();
Probe probe_light_environment();
// Shadow textures (probes_shadow.cpp).
Probe probe_shadow_texture();
Probe probe_shadow_levels(pica::u32 variant);
Probe probe_shadow_below_zero(pica::u32 variant);
Probe probe_shadow_format(pica::u32 variant);
// Special values (probes_special.cpp).
Probe probe_compare_nan();
Probe probe_max_infinity();
Probe probe_unloaded_attribute();

// Command stream, vertex input (probes_stream.cpp). variant 0 is the probe; others are the work that stands for an
// alternative.
Probe probe_attribute_twice(pica::u32 variant);
Probe probe_element_count(pica::u32 variant);
Probe probe_strip_restart(pica::u32 variant);
Probe probe_strip_mirror(pica::u32 variant);
Probe probe_fixed_in_strip(pica::u32 variant);
Probe probe_vertex_cache(pica::u32 variant);
Probe probe_odd_index(pica::u32 variant);
Probe probe_index_past_end(pica::u32 variant);
Probe probe_strip_trigger(pica::u32 variant);
Probe probe_list_leftover(pica::u32 variant);
Probe probe_attribute_register(pica::u32 variant);
Probe probe_semantic_twice(pica::u32 variant);
Probe probe_output_beyond(pica::u32 variant);
// Ports and triggers of command lists (probes_commands.cpp).
Probe probe_trigger_mask(pica::u32 variant);
Probe probe_port_mask(pica::u32 variant);
Probe probe_partial_at_index(pica::u32 variant);
Probe probe_partial_at_end(pica::u32 variant);
Probe probe_stored_banks(pica::u32 variant);
Probe probe_finalize_tail(pica::u32 variant);
// Targets (probes_target.cpp).
Probe probe_depth_format(pica::u32 variant);
Probe probe_target_width(pica::u32 variant);
Probe probe_target_height(pica::u32 variant);
Probe probe_block_width(pica::u32 variant);
Probe probe_flip(pica::u32 variant);
Probe probe_target_truncation();

// Clipping, dropped triangles (probes_clip.cpp).
Probe probe_guard_band(pica::u32 variant);
Probe probe_negative_w(pica::u32 variant);
Probe probe_clip_order(pica::u32 variant);
Probe probe_subnormal_plane(pica::u32 variant);
Probe probe_nan_position(pica::u32 variant);
Probe probe_zero_area(pica::u32 variant);
// Instructions, loops, the end of code (probes_program.cpp).
Probe probe_dsti(pica::u32 variant);
Probe probe_compare_mask(pica::u32 variant);
Probe probe_compare_codes(pica::u32 variant);
Probe probe_loop_width(pica::u32 variant);
Probe probe_loop_break(pica::u32 variant);
Probe probe_code_end(pica::u32 variant);
Probe probe_kept_registers(pica::u32 variant);
// The geometry unit (probes_geometry.cpp).
Probe probe_emit_slot(pica::u32 variant);
Probe probe_geometry_leftover(pica::u32 variant);
Probe probe_geometry_restart(pica::u32 variant);
Probe probe_geometry_inputs(pica::u32 variant);
Probe probe_geometry_contradiction(pica::u32 variant);
Probe probe_geometry_registers(pica::u32 variant);
Probe probe_geometry_empty(pica::u32 variant);
Probe probe_geometry_cut(pica::u32 variant);
// Gas (probes_gas.cpp).
Probe probe_gas_sum(pica::u32 variant);
Probe probe_gas_depth_function(pica::u32 variant);
Probe probe_gas_table(pica::u32 variant);
Probe probe_gas_never(pica::u32 variant);
Probe probe_gas_share(pica::u32 variant);
Probe probe_gas_light(pica::u32 variant);
Probe probe_gas_format(pica::u32 variant);
// Jumps, odd ends of lists (probes_lists.cpp).
Probe probe_jump_parameters(pica::u32 variant);
Probe probe_jump_zero(pica::u32 variant);
Probe probe_odd_list(pica::u32 variant);
Probe probe_no_autostop(pica::u32 variant);
// Lighting, combiners, textures, special values, in the files named above.
Probe probe_lighting_off(pica::u32 variant);
Probe probe_nan_color(pica::u32 variant);
Probe probe_transfer_pitch(pica::u32 variant);
Probe probe_quaternion_sign(pica::u32 variant);
Probe probe_stage0_previous(pica::u32 variant);
Probe probe_texture_feedback(pica::u32 variant);
Probe probe_alpha_format(pica::u32 variant);
Probe probe_texel_expansion(pica::u32 variant);
Probe probe_border_taps(pica::u32 variant);
Probe probe_etc1_overflow(pica::u32 variant);
Probe probe_projection_level(pica::u32 variant);
Probe probe_cube_level(pica::u32 variant);
Probe probe_light_saturation(pica::u32 variant);
Probe probe_bump_mode(pica::u32 variant);
Probe probe_half_subnormal(pica::u32 variant);
Probe probe_floor_infinity(pica::u32 variant);
Probe probe_exponent_ends(pica::u32 variant);
Probe probe_mov_subnormal(pica::u32 variant);
Probe probe_zero_quaternion(pica::u32 variant);
Probe probe_light_spot(pica::u32 variant);
Probe probe_half_vector(pica::u32 variant);
Probe probe_reflection_bits(pica::u32 variant);
Probe probe_level_length(pica::u32 variant);
Probe probe_magnification_end(pica::u32 variant);
Probe probe_level_bounds(pica::u32 variant);
// Codes and widths of combiners (probes_codes.cpp).
Probe probe_combiner_sources(pica::u32 variant);
Probe probe_combiner_operands(pica::u32 variant);
Probe probe_combiner_operations(pica::u32 variant);
Probe probe_combiner_alpha_dot(pica::u32 variant);
Probe probe_combiner_saturation(pica::u32 variant);
Probe probe_combiner_stage_bits(pica::u32 variant);
// Gates, masks, registers that drop pixels (probes_gates.cpp).
Probe probe_read_gate(pica::u32 variant);
Probe probe_read_gate_mask(pica::u32 variant);
Probe probe_depth_gate(pica::u32 variant);
Probe probe_shadow_map_masks(pica::u32 variant);
Probe probe_cull_flip(pica::u32 variant);
Probe probe_pixel_pattern(pica::u32 variant);
Probe probe_viewport_inverse(pica::u32 variant);
Probe probe_scissor_flip(pica::u32 variant);
// Buffers that share memory, what is beside pictures, formats without a stencil (probes_memory.cpp).
Probe probe_shared_target(pica::u32 variant);
Probe probe_outside_target(pica::u32 variant);
Probe probe_texture_past_end(pica::u32 variant);
Probe probe_texture_nowhere(pica::u32 variant);
Probe probe_stencil_formats(pica::u32 variant);
Probe probe_stencil_read_gate(pica::u32 variant);
// Bits of gates, tolerances of planes, undefined codes, in the files named above.
Probe probe_shadow_map_bounds(pica::u32 variant);
Probe probe_shadow_map_gates(pica::u32 variant);
Probe probe_gas_masks(pica::u32 variant);
Probe probe_depth_read_gate(pica::u32 variant);
Probe probe_stencil_closed_gate(pica::u32 variant);
Probe probe_depth_read_bits(pica::u32 variant);
Probe probe_color_read_bits(pica::u32 variant);
Probe probe_clip_tolerance(pica::u32 variant);
Probe probe_depth_tolerance(pica::u32 variant);
Probe probe_light_scales(pica::u32 variant);
Probe probe_light_inputs(pica::u32 variant);
Probe probe_color_format(pica::u32 variant);
Probe probe_color_format6(pica::u32 variant);
Probe probe_color_format7(pica::u32 variant);
Probe probe_color_size(pica::u32 variant);
Probe probe_geometry_attribute(pica::u32 variant);
Probe probe_last_level(pica::u32 variant);
// Codes and limits of procedural textures, coordinates, flags of transfers, in the files named above.
Probe probe_procedural_clamp(pica::u32 variant);
Probe probe_procedural_shift(pica::u32 variant);
Probe probe_procedural_function(pica::u32 variant);
Probe probe_procedural_filter(pica::u32 variant);
Probe probe_procedural_limits(pica::u32 variant);
Probe probe_procedural_narrow(pica::u32 variant);
Probe probe_procedural_set(pica::u32 variant);
Probe probe_procedural_frequency(pica::u32 variant);
Probe probe_extreme_coordinates(pica::u32 variant);
Probe probe_triangle_order(pica::u32 variant);
Probe probe_transfer_scale(pica::u32 variant);
Probe probe_transfer_linear_scale(pica::u32 variant);

// An alternative that no exchanged rule of the scalar reference makes: other work, whose answer under picavk's rules is that
// of the probe under the other rule.
struct EquivalentWork
{
    std::string_view name; // of the alternative
    Probe (*make)(pica::u32 variant);
    pica::u32 variant; // not 0
};
std::span<const EquivalentWork> equivalent_work();

// In the order in which the console runs them: what might hang a GPU comes last, and asks the canary after its answer.
std::vector<Probe> all_probes();
// No probe, but a draw that says whether the GPU still draws.
Probe canary_probe();

} // namespace samples
