@ SPDX-License-Identifier: MIT
@ The probes (samples/probe/pack_format.h), as write_pack leaves them.
    .section .pack, "a"
    .global probe_pack
    .align  4
probe_pack:
    .incbin PROBE_PACK
    .align  2

    .section .note.GNU-stack, "", %progbits
