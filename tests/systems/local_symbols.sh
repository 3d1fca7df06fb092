#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The object of what is compiled for AVX2 or AVX-512 shows other objects its entries and nothing else. A weak function in it, such as
# a template of the standard library, could become the copy of the whole program, which older processors cannot run.
#   local_symbols.sh OBJECT     OBJECT: pica_avx2.o or pica_avx512.o (pica/CMakeLists.txt)
set -euo pipefail
object=$1
fail() { echo "$object: $1"; exit 1; }

arguments='pica::soft::PixelPlan const&, pica::soft::TriangleList const&, unsigned int const*, unsigned int, int, int'
case $object in
*avx512.o)
    expected="pica::soft::raster_avx512($arguments)"
    registers='%zmm'
    ;;
*)
    expected="pica::batch::avx2_kernel()
pica::copy_rgb8_row_pair_avx2(pica::Rgb8RowPair const&)
pica::pack_rgb8_row_avx2(unsigned int const*, unsigned char*, unsigned int)
pica::soft::raster_avx2($arguments)
pica::vertex_outputs_avx2(pica::VertexOutputRows const&, unsigned int, pica::ShadedVertex*)"
    registers='%ymm'
    ;;
esac
# "ADDRESS T NAME": only functions, none of them weak.
found=$(nm --demangle --extern-only --defined-only "$object" | sed 's/^[0-9a-f]* //' | sort)
[ "$found" = "$(sed 's/^/T /' <<<"$expected" | sort)" ] || fail "these are the global symbols:
$found"
# Of groups of sections with one name a linker keeps one, whatever their symbols are.
# (grep reads to the end: one that stops early ends the program before it by a signal, which pipefail takes for "not found".)
if readelf --section-groups --wide "$object" | grep '^COMDAT' >/dev/null; then fail "it has groups of sections"; fi
# A variable that is written would exist twice. (Sanitizers keep descriptions of their own, exceptions a reference.)
variables=$(size -A "$object" |
    awk '/^\.t?(data|bss)/ && $1 !~ /^\.data\.rel\.(ro|local\.DW\.ref\.)/ && $2 > 0 { print $1, $2 }')
if [ -n "$variables" ] && ! nm "$object" | grep -E ' U __(asan|ubsan|tsan)_' >/dev/null; then
    fail "it has variables: $variables"
fi
# Else nothing was checked.
objdump --disassemble "$object" | grep -c "$registers" >/dev/null || fail "it has no $registers"
