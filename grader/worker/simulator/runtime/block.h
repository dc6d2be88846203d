// One block at a time on one OS thread: its CUDA threads take turns, each until it has to wait or ends.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coordinates.h"
#include "fiber.h"

namespace sim {

enum class Order { forward, reverse };

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr int max_threads = 1024;
constexpr int warp_lanes = 32;

enum class Waits : uint8_t { no, barrier, exchange, active_mask, whole_warp };

// What the last lane of a warp to come does for all 32, each of which brought its share.
using WarpWork = void (*)(void *const *shares);

struct alignas(64) Thread {
    void *context = nullptr;  // none before it starts
    uint64_t until = 0;       // may run when the block's phase is greater
    uint3 index{};
    int line = 0;             // where it waits, or waited last
    Waits waits = Waits::no;
    bool done = false;
    bool predicate = false;
    int source = -1;     // the lane whose value it asked for
    unsigned mask = 0;
    unsigned ballot = 0;
    union {
        uint64_t value = 0;  // published
        void *share;         // brought to an operation of the whole warp
    };
    union {
        uint64_t received = 0;
        WarpWork work;
    };
};
static_assert(sizeof(Thread) == 64, "one cache line: barriers walk through them");

class Block {
public:
    // Runs the kernel for every thread of the block at blockIdx.
    void run(Order order);

    // The other threads of the block go on until this one may.
    void suspend();

    void barrier(int line);
    int barrier_count(bool predicate, int line);
    void exchange(unsigned mask, uint64_t value, int source, bool predicate, int line);
    void whole_warp(WarpWork work, void *share, int line);
    unsigned active_mask(int line);

    Thread &current() { return threads_[running_]; }
    int running() const { return running_; }
    uint64_t number() const { return finished_ + 1; }  // how many blocks ran before this one, and one
    unsigned lane() const { return static_cast<unsigned>(linear(running_) & 31); }
    bool in_guard(const void *address) const;

    // For the watchdog: how many phases and blocks have gone by, and who waits where.
    uint64_t progress() const { return phase_ + finished_; }
    int waiting() const { return arrived_; }
    int waiting_line() const { return site_; }
    int size() const { return size_; }

private:
    static constexpr uint64_t forever = UINT64_MAX;
    static constexpr int turns_ahead = 3;

    static void fiber_body();
    void prepare(Order order);
    void work();
    void enter(int position);
    void switch_from(void **context, int next);
    int next_runnable();
    int next_or_fault();
    void finish();
    void release();
    void barrier_in_general(int line);
    void resume(const Thread &next, void **context);
    bool complete(unsigned mask, int first, int last);
    void finish_exchange(unsigned mask, int first, int last);
    void recheck_warp(int position);
    bool release_active_mask();
    void finish_whole_warp(WarpWork work, int line, int first);
    [[noreturn]] void barrier_fault(const char *kind);

    int linear(int position) const { return order_ == Order::forward ? position : size_ - 1 - position; }
    int position(int linear_index) const { return linear(linear_index); }

    Thread threads_[max_threads + turns_ahead];  // behind the last comes one that never runs
    Stack stacks_[max_threads];
    int stack_count_ = 0;
    int free_stacks_[max_threads];
    int free_count_ = 0;
    int stack_of_[max_threads];  // by position
    void *home_ = nullptr;       // the OS thread's own context
    Order order_ = Order::forward;
    int size_ = 0;
    int running_ = 0;
    int done_ = 0;
    int arrived_ = 0;
    int site_ = 0;  // the line of the first to arrive; 0 before that
    bool mixed_ = false;
    int tally_[2] = {0, 0};
    int assembled_[max_threads / warp_lanes];  // lanes of each warp that wait for the whole of it
    uint64_t phase_ = 1;
    uint64_t finished_ = 0;
};

// The block that this OS thread runs.
extern __thread Block *block;

}  // namespace sim
