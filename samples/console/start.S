@ SPDX-License-Identifier: MIT
@ Entry of the program: the block that homebrew loaders fill in, a stack of our own, cleared memory, then main.
    .section .start, "ax"
    .arm
    .global _start
_start:
    b       begin
    .ascii  "_prm"
    .global loader_app_id, loader_flags
    .word   0           @ services that the loader hands over; the program asks the service manager
loader_app_id:
    .word   0x300       @ application id
    .word   0x01800000  @ heap, as advice
    .word   0x02000000  @ linear memory, as advice
    .word   0           @ arguments
loader_flags:
    .word   0
begin:
    ldr     sp, =stack_end
    ldr     r0, =__bss_start
    ldr     r1, =__bss_end
    mov     r2, #0
clear:
    cmp     r0, r1
    strlo   r2, [r0], #4
    blo     clear
    mov     r0, #0
    vmsr    fpscr, r0
    bl      console_main
    svc     0x03        @ ExitProcess: today's loaders start a process of its own
    b       .

    .section .bss
    .align  3
stack:
    .space  0x8000
stack_end:

    .section .note.GNU-stack, "", %progbits
