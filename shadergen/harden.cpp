// SPDX-License-Identifier: MIT
// The hardening pass: one walk over the words of a module. Source of truth: design.md, Part II section 3.
// Where the set of operations is open-ended (extended instructions) there is a list of allowed ones, for core
// operations a list of refused ones. Tests: harden_test.cpp
#include "shadergen/harden.h"

#include <GLSL.std.450.h>
#include <spirv.hpp>

#include <string>
#include <string_view>

namespace shadergen
{

namespace
{

using pica::u32;

constexpr u32 kHeaderWords = 5;

// Name of a core operation whose result the contract does not determine; null if the operation is allowed.
const char* forbidden_operation(u32 operation)
{
    switch (operation)
    {
    case spv::OpFRem:
        return "OpFRem";
    case spv::OpFMod:
        return "OpFMod";
    case spv::OpSRem: // undefined for negative operands
        return "OpSRem";
    case spv::OpSMod:
        return "OpSMod";
    case spv::OpDot:
        return "OpDot";
    case spv::OpOuterProduct:
        return "OpOuterProduct";
    case spv::OpMatrixTimesScalar:
        return "OpMatrixTimesScalar";
    case spv::OpVectorTimesMatrix:
        return "OpVectorTimesMatrix";
    case spv::OpMatrixTimesVector:
        return "OpMatrixTimesVector";
    case spv::OpMatrixTimesMatrix:
        return "OpMatrixTimesMatrix";
    case spv::OpQuantizeToF16:
        return "OpQuantizeToF16";
    case spv::OpDPdx:
        return "OpDPdx";
    case spv::OpDPdy:
        return "OpDPdy";
    case spv::OpFwidth:
        return "OpFwidth";
    case spv::OpDPdxFine:
        return "OpDPdxFine";
    case spv::OpDPdyFine:
        return "OpDPdyFine";
    case spv::OpFwidthFine:
        return "OpFwidthFine";
    case spv::OpDPdxCoarse:
        return "OpDPdxCoarse";
    case spv::OpDPdyCoarse:
        return "OpDPdyCoarse";
    case spv::OpFwidthCoarse:
        return "OpFwidthCoarse";
    default:
        return nullptr;
    }
}

bool allowed_extended(u32 instruction)
{
    switch (instruction)
    {
    case GLSLstd450RoundEven:
    case GLSLstd450Trunc:
    case GLSLstd450Floor:
    case GLSLstd450FAbs:
    case GLSLstd450SAbs:
    case GLSLstd450SSign:
    case GLSLstd450FMin:
    case GLSLstd450UMin:
    case GLSLstd450SMin:
    case GLSLstd450FMax:
    case GLSLstd450UMax:
    case GLSLstd450SMax:
    case GLSLstd450FClamp:
    case GLSLstd450Fma: // in texts where one rounding and two give the same bits (design.md)
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
    case GLSLstd450FindILsb:
    case GLSLstd450FindSMsb:
    case GLSLstd450FindUMsb:
        return true;
    default:
        return false;
    }
}

// The instructions of GLSL.std.450 in their numbering, from Round = 1 on.
constexpr const char* kExtendedNames[] = {"Round",
                                          "RoundEven",
                                          "Trunc",
                                          "FAbs",
                                          "SAbs",
                                          "FSign",
                                          "SSign",
                                          "Floor",
                                          "Ceil",
                                          "Fract",
                                          "Radians",
                                          "Degrees",
                                          "Sin",
                                          "Cos",
                                          "Tan",
                                          "Asin",
                                          "Acos",
                                          "Atan",
                                          "Sinh",
                                          "Cosh",
                                          "Tanh",
                                          "Asinh",
                                          "Acosh",
                                          "Atanh",
                                          "Atan2",
                                          "Pow",
                                          "Exp",
                                          "Log",
                                          "Exp2",
                                          "Log2",
                                          "Sqrt",
                                          "InverseSqrt",
                                          "Determinant",
                                          "MatrixInverse",
                                          "Modf",
                                          "ModfStruct",
                                          "FMin",
                                          "UMin",
                                          "SMin",
                                          "FMax",
                                          "UMax",
                                          "SMax",
                                          "FClamp",
                                          "UClamp",
                                          "SClamp",
                                          "FMix",
                                          "IMix",
                                          "Step",
                                          "SmoothStep",
                                          "Fma",
                                          "Frexp",
                                          "FrexpStruct",
                                          "Ldexp",
                                          "PackSnorm4x8",
                                          "PackUnorm4x8",
                                          "PackSnorm2x16",
                                          "PackUnorm2x16",
                                          "PackHalf2x16",
                                          "PackDouble2x32",
                                          "UnpackSnorm2x16",
                                          "UnpackUnorm2x16",
                                          "UnpackHalf2x16",
                                          "UnpackSnorm4x8",
                                          "UnpackUnorm4x8",
                                          "UnpackDouble2x32",
                                          "Length",
                                          "Distance",
                                          "Cross",
                                          "Normalize",
                                          "FaceForward",
                                          "Reflect",
                                          "Refract",
                                          "FindILsb",
                                          "FindSMsb",
                                          "FindUMsb",
                                          "InterpolateAtCentroid",
                                          "InterpolateAtSample",
                                          "InterpolateAtOffset",
                                          "NMin",
                                          "NMax",
                                          "NClamp"};
static_assert(std::size(kExtendedNames) == GLSLstd450NClamp);

std::string extended_name(u32 instruction)
{
    if (instruction >= 1 && instruction <= std::size(kExtendedNames))
        return kExtendedNames[instruction - 1];
    return "extended instruction " + std::to_string(instruction);
}

bool rounds(u32 operation)
{
    switch (operation)
    {
    case spv::OpFNegate:
    case spv::OpFAdd:
    case spv::OpFSub:
    case spv::OpFMul:
    case spv::OpFDiv:
    case spv::OpVectorTimesScalar:
        return true;
    default:
        return false;
    }
}

// The sections of a module, in the order of the specification. Declarations are types, constants, variables
// and code.
enum class Section : pica::u8
{
    Capabilities,
    Extensions,
    Modes,
    Debug,
    Annotations,
    Declarations,
};

Section section_of(u32 operation, Section current)
{
    switch (operation)
    {
    case spv::OpCapability:
        return Section::Capabilities;
    case spv::OpExtension:
        return Section::Extensions;
    case spv::OpExtInstImport: // imports, memory model, entry points and modes
    case spv::OpMemoryModel:
    case spv::OpEntryPoint:
    case spv::OpExecutionMode:
    case spv::OpExecutionModeId:
        return Section::Modes;
    case spv::OpString:
    case spv::OpSourceExtension:
    case spv::OpSource:
    case spv::OpSourceContinued:
    case spv::OpName:
    case spv::OpMemberName:
    case spv::OpModuleProcessed:
        return Section::Debug;
    case spv::OpDecorate:
    case spv::OpMemberDecorate:
    case spv::OpDecorationGroup:
    case spv::OpGroupDecorate:
    case spv::OpGroupMemberDecorate:
    case spv::OpDecorateId:
        return Section::Annotations;
    case spv::OpNop:
    case spv::OpLine:
    case spv::OpNoLine:
        return current;
    default:
        return Section::Declarations;
    }
}

// OpExtension "SPV_KHR_float_controls": the modes became core only in SPIR-V 1.4.
void append_extension(Spirv& out)
{
    constexpr std::string_view name = "SPV_KHR_float_controls";
    const u32 words = 1 + static_cast<u32>(name.size() / 4 + 1);
    out.push_back(words << 16 | spv::OpExtension);
    for (std::size_t i = 0; i / 4 + 1 < words; i += 4)
    {
        u32 word = 0;
        for (std::size_t k = 0; k < 4 && i + k < name.size(); k++)
            word |= static_cast<u32>(static_cast<unsigned char>(name[i + k])) << (8 * k);
        out.push_back(word);
    }
}

struct Scan
{
    std::vector<u32> floats;       // results to decorate, in order
    std::vector<u32> entry_points; // function ids
    std::vector<bool> decorated;   // by id: has NoContraction already
    std::size_t at[6]{};           // first word after sections Capabilities.. in order
};

pica::Error malformed()
{
    return {"SPIR-V is malformed: an instruction runs past the end"};
}

pica::Result<Scan> scan_module(const Spirv& module)
{
    if (module.size() < kHeaderWords || module[0] != spv::MagicNumber)
        return pica::Error{"SPIR-V is malformed: no header"};
    Scan scan;
    u32 glsl_set = 0;
    Section section = Section::Capabilities;
    for (std::size_t at = kHeaderWords; at < module.size();)
    {
        const u32 operation = module[at] & 0xFFFFu;
        const u32 words = module[at] >> 16;
        if (words == 0 || words > module.size() - at)
            return malformed();
        const auto operand = [&](u32 i) { return i < words ? module[at + i] : 0; };

        for (const Section now = section_of(operation, section); section < now;)
        {
            scan.at[static_cast<u32>(section)] = at;
            section = static_cast<Section>(static_cast<u32>(section) + 1);
        }
        if (const char* name = forbidden_operation(operation))
            return pica::Error{std::string(name) + " has no pinned result"};
        switch (operation)
        {
        case spv::OpExtInstImport:
            glsl_set = operand(1);
            break;
        case spv::OpExtInst:
            if (operand(3) == glsl_set && !allowed_extended(operand(4)))
                return pica::Error{extended_name(operand(4)) + " has no pinned result"};
            break;
        case spv::OpEntryPoint:
            scan.entry_points.push_back(operand(2));
            break;
        case spv::OpTypeFloat:
            if (operand(2) != 32)
                return pica::Error{"OpTypeFloat of " + std::to_string(operand(2)) +
                                   " bits: the contract is binary32"};
            break;
        case spv::OpDecorate:
        case spv::OpMemberDecorate:
        {
            const u32 decoration = operand(operation == spv::OpDecorate ? 2 : 3);
            if (decoration == spv::DecorationRelaxedPrecision)
                return pica::Error{"RelaxedPrecision has no pinned result"};
            if (decoration == spv::DecorationNoContraction && operation == spv::OpDecorate)
            {
                if (scan.decorated.size() <= operand(1))
                    scan.decorated.resize(operand(1) + std::size_t{1});
                scan.decorated[operand(1)] = true;
            }
            break;
        }
        default:
            if (rounds(operation) && (operand(2) >= scan.decorated.size() || !scan.decorated[operand(2)]))
                scan.floats.push_back(operand(2));
            break;
        }
        at += words;
    }
    if (section != Section::Declarations)
        return pica::Error{"SPIR-V is malformed: no functions"};
    return scan;
}

} // namespace

pica::Result<Spirv> harden(const Spirv& module, const Target& target)
{
    const auto scan = scan_module(module);
    if (!scan)
        return scan.error();

    Spirv out;
    out.reserve(module.size() + 3 * scan->floats.size() + 64);
    std::size_t copied = 0;
    const auto copy_section = [&](Section section)
    {
        const std::size_t end = scan->at[static_cast<u32>(section)];
        out.insert(out.end(), module.begin() + static_cast<std::ptrdiff_t>(copied),
                   module.begin() + static_cast<std::ptrdiff_t>(end));
        copied = end;
    };
    const auto mode = [&](bool wanted, u32 execution_mode)
    {
        if (wanted)
            for (const u32 entry : scan->entry_points)
                out.insert(out.end(), {4u << 16 | spv::OpExecutionMode, entry, execution_mode, 32u});
    };

    copy_section(Section::Capabilities);
    if (target.rounding_mode_rte)
        out.insert(out.end(), {2u << 16 | spv::OpCapability, u32{spv::CapabilityRoundingModeRTE}});
    if (target.nan_preserve)
        out.insert(out.end(), {2u << 16 | spv::OpCapability, u32{spv::CapabilitySignedZeroInfNanPreserve}});
    copy_section(Section::Extensions);
    if (target.rounding_mode_rte || target.nan_preserve)
        append_extension(out);
    copy_section(Section::Modes);
    mode(target.rounding_mode_rte, spv::ExecutionModeRoundingModeRTE);
    mode(target.nan_preserve, spv::ExecutionModeSignedZeroInfNanPreserve);
    copy_section(Section::Debug);
    copy_section(Section::Annotations);
    for (const u32 id : scan->floats)
        out.insert(out.end(), {3u << 16 | spv::OpDecorate, id, u32{spv::DecorationNoContraction}});
    out.insert(out.end(), module.begin() + static_cast<std::ptrdiff_t>(copied), module.end());
    return out;
}

} // namespace shadergen
