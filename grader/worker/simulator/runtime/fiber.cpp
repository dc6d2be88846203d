#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "fault.h"

namespace sim {

Stack make_stack(unsigned index) {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, stack_bytes + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) Report("no-memory").submit();
#ifdef MADV_NOHUGEPAGE
    madvise(memory, stack_bytes + page, MADV_NOHUGEPAGE);
#endif
    char *low = static_cast<char *>(memory) + page;
    // Measured on tiled kernels: 192 bytes apart within 8 KiB is worth 10 to 35 %.
    return {low, low + stack_bytes - index * 192 % 8192};
}

#if defined(__x86_64__)

// System V ABI: rbx, rbp and r12 to r15 belong to the caller. A jump and no `ret`: a processor predicts that a `ret` goes
// back to its own call, which a switch never does (docs/measurements.md).
__asm__(R"(
    .text
    .globl sim_switch
    .type sim_switch, @function
sim_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmpq *%rcx
    .size sim_switch, .-sim_switch
)");

void *make_context(const Stack &stack, void (*body)()) {
    auto top = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(stack.high) & ~uintptr_t{15});
    *--top = nullptr;  // `body` finds the stack as a call would leave it, and never returns
    *--top = reinterpret_cast<void *>(body);
    return top - 6;
}

#elif defined(__aarch64__)

// AAPCS64: x19 to x30 and d8 to d15 belong to the caller.
__asm__(R"(
    .text
    .globl sim_switch
sim_switch:
    stp x19, x20, [sp, #-160]!
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x19, x20, [sp], #160
    ret
)");

void *make_context(const Stack &stack, void (*body)()) {
    auto frame = reinterpret_cast<void **>((reinterpret_cast<uintptr_t>(stack.high) & ~uintptr_t{15}) - 160);
    frame[10] = nullptr;                          // x29: the end of the chain of frames
    frame[11] = reinterpret_cast<void *>(body);   // x30: where `ret` goes
    return frame;
}

#else
#error "the simulator knows how to switch stacks on x86-64 and aarch64"
#endif

}  // namespace sim
