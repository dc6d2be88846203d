// Stacks, and switching between them. A system call per switch (as in ucontext) would be thirty times slower.
#pragma once

#include <cstddef>

namespace sim {

struct Stack {
    char *low;   // the lowest usable byte; a guard page lies below
    char *high;  // one past the highest
};

// CUDA gives a thread up to 512 KiB of local memory; pages that are never touched cost nothing.
constexpr size_t stack_bytes = 512 << 10;

// `index` colours the top of the stack: at equal offsets all stacks would compete for the same cache sets.
Stack make_stack(unsigned index);

// A suspended context that will call `body` on `stack` when it is first switched to.
void *make_context(const Stack &stack, void (*body)());

// Suspends the running context in *from and resumes `to`.
extern "C" void sim_switch(void **from, void *to);

}  // namespace sim
