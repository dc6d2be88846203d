#include "block.h"

#include "fault.h"
#include "launch.h"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace sim {

__thread Block *block = nullptr;

void Block::run(Order order) {
    prepare(order);
    int stack = free_stacks_[--free_count_];
    stack_of_[0] = stack;
    running_ = 0;
    sim_switch(&home_, make_context(stacks_[stack], fiber_body));
    ++finished_;
}

void Block::prepare(Order order) {
    order_ = order;
    size_ = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
    done_ = arrived_ = site_ = 0;
    mixed_ = false;
    ++phase_;
    tally_[phase_ & 1] = 0;
    for (int position = 0; position < size_; ++position) {
        unsigned id = static_cast<unsigned>(linear(position));
        Thread &thread = threads_[position];
        thread = Thread{};
        thread.index = {id % blockDim.x, id / blockDim.x % blockDim.y, id / (blockDim.x * blockDim.y)};
    }
    for (int &lanes : assembled_) lanes = 0;
    threads_[size_] = Thread{};
    threads_[size_].until = forever;
    if (stack_count_ == 0) {
        stacks_[stack_count_++] = make_stack(0);
        free_stacks_[free_count_++] = 0;
    }
}

void Block::fiber_body() { block->work(); }

// A fiber runs one thread after the other; it takes up a new one only when its own has ended.
void Block::work() {
    for (;;) {
        Thread &thread = threads_[running_];
        threadIdx = thread.index;
        entry.call(arguments);
        finish();
    }
}

void Block::finish() {
    Thread &thread = current();
    thread.done = true;
    thread.until = forever;
    ++done_;
    recheck_warp(running_);
    if (arrived_ > 0 && arrived_ + done_ == size_) release();
    int own = stack_of_[running_];
    if (done_ == size_) {
        free_stacks_[free_count_++] = own;
        void *unused;
        sim_switch(&unused, home_);
    }
    int next = next_or_fault();
    if (!threads_[next].context) {
        stack_of_[next] = own;
        running_ = next;
        return;
    }
    free_stacks_[free_count_++] = own;
    void *unused;
    switch_from(&unused, next);
}

void Block::suspend() {
    int next = next_or_fault();
    if (next != running_) switch_from(&current().context, next);
}

// The stacks of a block do not fit into a first-level cache. Measured on tiled kernels: fetching what a thread saved and
// the frame above it three turns early makes them a quarter faster, and more lines or turns do not. The loop stays in
// a function that does something else too, for gcc drops calls of one that only prefetches.
inline void Block::resume(const Thread &next, void **context) {
    threadIdx = next.index;
    auto ahead = static_cast<const char *>(threads_[running_ + turns_ahead].context);
    for (int line = 0; line < 3; ++line) __builtin_prefetch(ahead + 64 * line);
    sim_switch(context, next.context);
}

void Block::switch_from(void **context, int next) {
    running_ = next;
    const Thread &thread = threads_[next];
    if (thread.context) return resume(thread, context);
    if (free_count_ == 0) {
        stacks_[stack_count_] = make_stack(static_cast<unsigned>(stack_count_));
        free_stacks_[free_count_++] = stack_count_++;
    }
    stack_of_[next] = free_stacks_[--free_count_];
    sim_switch(context, make_context(stacks_[stack_of_[next]], fiber_body));
}

// Threads take turns in their order, as a ring: at a barrier the next one can nearly always run.
int Block::next_runnable() {
    for (int next = running_ + 1; next < size_; ++next) {
        if (threads_[next].until < phase_) return next;
    }
    for (int next = 0; next <= running_; ++next) {
        if (threads_[next].until < phase_) return next;
    }
    return -1;
}

int Block::next_or_fault() {
    int next = next_runnable();
    if (next < 0 && release_active_mask()) next = next_runnable();
    if (next < 0) barrier_fault("deadlock");
    return next;
}

bool Block::in_guard(const void *address) const {
    constexpr size_t reach = 64 << 10;  // a frame may step over the guard page by as much
    auto where = static_cast<const char *>(address);
    const char *low = stacks_[stack_of_[running_]].low;
    return where < low && where >= low - reach;
}

}  // namespace sim
