// Warp operations: 32 threads with consecutive numbers in the block. Lanes that have returned are not waited for.
#include "block.h"

namespace sim {

struct Exchange {
    unsigned long long value;
    unsigned ballot;
};

void Block::exchange(unsigned mask, uint64_t value, int source, bool predicate, int line) {
    Thread &thread = current();
    thread.waits = Waits::exchange;
    thread.until = forever;
    thread.line = line;
    thread.mask = mask;
    thread.value = value;
    thread.source = source;
    thread.predicate = predicate;
    int first = linear(running_) & ~31;
    int last = first + 32 < size_ ? first + 32 : size_;
    if (complete(mask, first, last)) finish_exchange(mask, first, last);
    if (thread.until == forever) suspend();
}

bool Block::complete(unsigned mask, int first, int last) {
    for (int id = first; id < last; ++id) {
        if (!(mask >> (id - first) & 1)) continue;
        const Thread &thread = threads_[position(id)];
        if (!thread.done && (thread.waits != Waits::exchange || thread.mask != mask)) return false;
    }
    return true;
}

void Block::finish_exchange(unsigned mask, int first, int last) {
    unsigned ballot = 0, present = 0;
    for (int id = first; id < last; ++id) {
        const Thread &thread = threads_[position(id)];
        if (!(mask >> (id - first) & 1) || thread.waits != Waits::exchange || thread.mask != mask) continue;
        present |= 1u << (id - first);
        ballot |= static_cast<unsigned>(thread.predicate) << (id - first);
    }
    for (int id = first; id < last; ++id) {
        if (!(present >> (id - first) & 1)) continue;
        Thread &thread = threads_[position(id)];
        bool known = thread.source >= 0 && (present >> thread.source & 1);
        thread.received = known ? threads_[position(first + thread.source)].value : thread.value;
        thread.ballot = ballot;
        thread.until = 0;
    }
    for (int id = first; id < last; ++id) {
        if (present >> (id - first) & 1) threads_[position(id)].waits = Waits::no;
    }
}

// A lane has returned: others of its warp may have been waiting for it.
void Block::recheck_warp(int at) {
    int first = linear(at) & ~31;
    int last = first + 32 < size_ ? first + 32 : size_;
    for (int id = first; id < last; ++id) {
        const Thread &thread = threads_[position(id)];
        if (thread.waits != Waits::exchange || thread.until != forever) continue;
        if (complete(thread.mask, first, last)) finish_exchange(thread.mask, first, last);
    }
}

// Which lanes run together is known only when no thread can go on: those that stopped at the same line do.
unsigned Block::active_mask(int line) {
    Thread &thread = current();
    thread.waits = Waits::active_mask;
    thread.until = forever;
    thread.line = line;
    suspend();
    return thread.ballot;
}

bool Block::release_active_mask() {
    for (int id = 0; id < size_; ++id) {
        const Thread &leader = threads_[position(id)];
        if (leader.waits != Waits::active_mask) continue;
        int line = leader.line, first = id & ~31;
        unsigned mask = 0;
        for (int other = id; other < first + 32 && other < size_; ++other) {
            const Thread &thread = threads_[position(other)];
            if (thread.waits == Waits::active_mask && thread.line == line) mask |= 1u << (other - first);
        }
        for (int other = id; other < first + 32 && other < size_; ++other) {
            if (!(mask >> (other - first) & 1)) continue;
            Thread &thread = threads_[position(other)];
            thread.ballot = mask;
            thread.until = 0;
            thread.waits = Waits::no;
        }
        return true;
    }
    return false;
}

Exchange exchange(unsigned mask, unsigned long long value, int source, bool predicate, int line) {
    block->exchange(mask, value, source, predicate, line);
    const Thread &thread = block->current();
    return {thread.received, thread.ballot};
}

unsigned active_mask(int line) { return block->active_mask(line); }
unsigned lane() { return block->lane(); }
void pause() { block->suspend(); }

}  // namespace sim
