// SPDX-License-Identifier: MIT
#include "shadergen/spirv_instructions.h"

#include <spirv.hpp>

namespace shadergen
{

using pica::u32;

void append(Words& words, u32 op, std::initializer_list<u32> operands)
{
    words.push_back(op | static_cast<u32>(operands.size() + 1) << 16);
    words.insert(words.end(), operands);
}

void append(Words& words, Instruction instruction)
{
    words.insert(words.end(), instruction.begin(), instruction.end());
}

bool is_copyable(u32 op)
{
    const auto between = [op](u32 first, u32 last) { return op >= first && op <= last; };
    return op == spv::OpUndef || op == spv::OpExtInst || op == spv::OpFunctionCall ||
           between(spv::OpVariable, spv::OpStore) || op == spv::OpAccessChain ||
           op == spv::OpInBoundsAccessChain || op == spv::OpArrayLength ||
           between(spv::OpVectorExtractDynamic, spv::OpTranspose) ||
           between(spv::OpSampledImage, spv::OpImage) ||
           between(spv::OpImageQuerySizeLod, spv::OpImageQueryLevels) ||
           between(spv::OpConvertFToU, spv::OpBitcast) || between(spv::OpSNegate, spv::OpSMulExtended) ||
           between(spv::OpAny, spv::OpFUnordGreaterThanEqual) ||
           between(spv::OpShiftRightLogical, spv::OpBitCount) ||
           between(spv::OpControlBarrier, spv::OpMemoryBarrier) ||
           between(spv::OpAtomicLoad, spv::OpAtomicXor) || between(spv::OpPhi, spv::OpUnreachable) ||
           between(spv::OpGroupNonUniformElect, spv::OpGroupNonUniformBallot);
}

std::pair<std::size_t, std::size_t> literals_of(Instruction instruction)
{
    const std::size_t count = instruction.size();
    switch (operation(instruction))
    {
    case spv::OpSelectionMerge:
        return {2, 3};
    case spv::OpVariable:
        return {3, 4};
    case spv::OpStore:
    case spv::OpLoopMerge:
        return {3, count};
    case spv::OpExtInst:
    case spv::OpArrayLength:
    case spv::OpImageWrite:
        return {4, 5};
    case spv::OpLoad:
    case spv::OpCompositeExtract:
    case spv::OpBranchConditional:
        return {4, count};
    case spv::OpCompositeInsert:
    case spv::OpVectorShuffle:
        return {5, count};
    case spv::OpImageSampleDrefImplicitLod:
    case spv::OpImageSampleDrefExplicitLod:
    case spv::OpImageSampleProjDrefImplicitLod:
    case spv::OpImageSampleProjDrefExplicitLod:
    case spv::OpImageGather:
    case spv::OpImageDrefGather:
        return {6, 7};
    case spv::OpImageSampleImplicitLod:
    case spv::OpImageSampleExplicitLod:
    case spv::OpImageSampleProjImplicitLod:
    case spv::OpImageSampleProjExplicitLod:
    case spv::OpImageFetch:
    case spv::OpImageRead:
        return {5, 6};
    default:
        return {count, count};
    }
}

u32 result_of(Instruction instruction)
{
    switch (const u32 op = operation(instruction))
    {
    case spv::OpLabel:
        return instruction[1];
    case spv::OpStore:
    case spv::OpImageWrite:
    case spv::OpControlBarrier:
    case spv::OpMemoryBarrier:
    case spv::OpAtomicStore:
    case spv::OpFunctionEnd:
        return 0;
    default:
        return (op >= spv::OpLoopMerge && op <= spv::OpUnreachable) || instruction.size() < 3
                   ? 0
                   : instruction[2];
    }
}

} // namespace shadergen
