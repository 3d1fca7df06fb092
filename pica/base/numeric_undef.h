// SPDX-License-Identifier: MIT
// Ends a compilation of the shared arithmetic: removes the macros that numeric.h and numeric_lanes.inc define for
// it. No include guard: included once by each of them.
#undef NUM_FN
#undef SEL
#undef AND
#undef OR
#undef NOT
#undef REAL
#undef BITS
#undef INT
#undef FLOOR
#undef HOST_RCP
#undef MUL_WIDE
#undef PICA_LANES
