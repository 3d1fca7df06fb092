// SPDX-License-Identifier: MIT
#include "samples/inspect/tables_model.h"

#include "pica/inspect/pixel_history.h"
#include "pica/regs/enum_names.h"
#include "samples/cli/state_json.h"
#include "samples/inspect/pixel_model.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kFirstLighting = static_cast<u32>(LutTable::Lighting0);

// The settings with which the draw reads a table of lighting; null: it is not one of those that have some.
const LightingTableKey* lighting_key(const LightingKey& key, u32 number)
{
    for (u32 n = 0; n < kLightTables; ++n)
    {
        const auto table = static_cast<LightTable>(n);
        const u32 first = static_cast<u32>(light_table_lut(table));
        if (number == first || (table == LightTable::SP && number >= first && number < first + 8))
            return &key.table[table];
    }
    return nullptr;
}

f32 scale_of(LightingScale scale)
{
    static constexpr f32 kScales[] = {1, 2, 4, 8, 1, 1, 0.25f, 0.5f};
    return kScales[static_cast<u32>(scale) & 7];
}

f32 signed_byte(u32 word, u32 channel)
{
    return static_cast<f32>(static_cast<s8>(word >> (8 * channel)));
}

// What an entry has of one curve, and where its difference leads.
std::array<f32, 2> ends_of(LutTable table, const LutEntry& entry, u32 channel)
{
    switch (table)
    {
    case LutTable::ProcTexColor:
    case LutTable::Gas:
    {
        const f32 value = static_cast<f32>(entry.value >> (8 * channel) & 255);
        return {value / 255, (value + 2 * signed_byte(entry.difference, channel)) / 255};
    }
    case LutTable::Fog:
    {
        const f32 value = static_cast<f32>(entry.value);
        return {value / 2047, (value + static_cast<f32>(static_cast<s32>(entry.difference))) / 2047};
    }
    default:
    {
        const f32 value = std::bit_cast<f32>(entry.value);
        return {value, value + std::bit_cast<f32>(entry.difference)};
    }
    }
}

ShownTable shown_table(const Draw& draw, LutTable table, std::string name)
{
    ShownTable shown;
    shown.name = std::move(name);
    shown.is_read = (draw.fragment.luts() & lut_bit(table)) != 0;
    shown.entries = lut_size(table);
    std::array<LutEntry, 256> entries{};
    decode_lut(*draw.luts, table, entries.data());
    f32 scale = 1;
    const bool lighting = static_cast<u32>(table) >= kFirstLighting;
    const LightingTableKey* key =
        lighting ? lighting_key(draw.fragment.lighting, static_cast<u32>(table) - kFirstLighting) : nullptr;
    if (key != nullptr && shown.is_read)
    {
        scale = scale_of(key->scale);
        if (key->is_signed != 0)
            shown.first_x = -1;
    }
    const bool colors = table == LutTable::ProcTexColor || table == LutTable::Gas;
    static constexpr const char* kChannels[] = {"red", "green", "blue", "alpha"};
    const f32 step = (1 - shown.first_x) / static_cast<f32>(shown.entries);
    for (u32 channel = 0; channel < (colors ? 4u : 1u); ++channel)
    {
        TableCurve curve{colors ? kChannels[channel] : "", {}};
        for (u32 i = 0; i < shown.entries; ++i)
        {
            // Entries 128 to 255 of a table with sign are those of inputs below 0.
            const u32 number = shown.first_x < 0 ? (i + 128) & 255 : i;
            const auto [value, next] = ends_of(table, entries[number], channel);
            const f32 x = shown.first_x + step * static_cast<f32>(i);
            curve.points.push_back({x, value * scale});
            curve.points.push_back({x + step, next * scale});
        }
        shown.curves.push_back(std::move(curve));
    }
    return shown;
}

} // namespace

void TablesModel::find()
{
    if (found_at_ == model_.revision())
        return;
    found_at_ = model_.revision();
    tables_.clear();
    draw_ = model_.last_draw();
    if (!draw_)
        return;
    visit_draw(model_.replay(), *draw_,
               [&](const Draw& draw)
               {
                   if (draw.luts == nullptr)
                       return;
                   const LutMask all = all_tables();
                   for (u32 n = 0; n < Luts::kTables; ++n)
                       if (all >> n & 1)
                           tables_.push_back(shown_table(draw, static_cast<LutTable>(n),
                                                         table_names(LutMask{1} << n).front()));
               });
    std::stable_sort(tables_.begin(), tables_.end(),
                     [](const ShownTable& a, const ShownTable& b) { return a.is_read && !b.is_read; });
}

std::optional<std::size_t> TablesModel::draw()
{
    find();
    return draw_;
}

const std::vector<ShownTable>& TablesModel::tables()
{
    find();
    return tables_;
}

std::vector<TableMark> TablesModel::marks(const std::string& table)
{
    find();
    std::vector<TableMark> marks;
    if (!draw_ || !pixel_.picked())
        return marks;
    for (const PixelEvent& event : pixel_.history().events)
    {
        if (event.operation != *draw_)
            continue;
        for (std::size_t i = 0; i < event.fragments.size(); ++i)
            for (const soft::LightingRead& read : event.fragments[i].lighting_reads)
                if ("lighting_" + name_or_number(kLightingLutNames, read.number) == table)
                    marks.push_back({read.x, read.value,
                                     "fragment " + std::to_string(i) + ", light " +
                                         std::to_string(read.slot) + ": " + float_json(read.x).dump() +
                                         " gives " + float_json(read.value).dump()});
    }
    return marks;
}

Json TablesModel::log(const std::string& table)
{
    if (!draw())
        return {{"operation", nullptr}};
    Json names = Json::array(), marked = Json::array();
    for (const ShownTable& shown : tables_)
        if (shown.is_read)
            names.push_back(shown.name);
    for (const TableMark& mark : marks(table))
        marked.push_back(mark.text);
    return {
        {"operation", *draw_}, {"read", std::move(names)}, {"table", table}, {"marks", std::move(marked)}};
}

} // namespace samples
