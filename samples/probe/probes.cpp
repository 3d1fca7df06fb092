// SPDX-License-Identifier: MIT
#include "samples/probe/probes.h"

namespace samples
{

namespace
{

constexpr EquivalentWork kEquivalent[] = {
    {"the first buffer", probe_attribute_twice},
    {"counted double", probe_element_count},
    {"0x25E does not restart", probe_strip_restart},
    {"the mirror restarts", probe_strip_mirror},
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
                                 probe_attribute_conversion(),
                                 probe_texel_below_zero(),
                                 probe_filter_weights(),
                                 probe_level_fraction(),
                                 probe_nearest_level(),
                                 probe_border_alpha(),
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
        probes.push_back(work.make(false));
    return probes;
}

std::span<const EquivalentWork> equivalent_work()
{
    return kEquivalent;
}

} // namespace samples
