#include "block.h"
#include "fault.h"

namespace sim {

// The next thread of the ring waits at the barrier before this one, or at none: so this thread is not the last to come
// here, and nothing has to be looked for.
inline void Block::barrier(int line) {
    Thread &thread = threads_[running_];
    const Thread &next = threads_[running_ + 1];
    bool usual = line == site_ && next.until < phase_ && next.context;
    if (__builtin_expect(!usual, false)) return barrier_in_general(line);
    ++arrived_;
    ++running_;
    thread.line = line;
    thread.until = phase_;
    thread.waits = Waits::barrier;
    resume(next, &thread.context);  // the last statement, so that no frame lies between the switch and the kernel
}

void Block::barrier_in_general(int line) {
    Thread &thread = current();
    if (arrived_++ == 0) site_ = line;
    mixed_ |= site_ != line;
    thread.line = line;
    thread.until = phase_;
    thread.waits = Waits::barrier;
    if (arrived_ + done_ == size_) release();
    suspend();
}

int Block::barrier_count(bool predicate, int line) {
    uint64_t phase = phase_;
    tally_[phase & 1] += predicate;
    barrier(line);
    return tally_[phase & 1];
}

// Every thread that has not returned is here. Hardware goes on even if some have returned or wait at another
// barrier; the programming guide calls both undefined, and so do we.
void Block::release() {
    if (done_ > 0 || mixed_) barrier_fault("barrier");
    arrived_ = site_ = 0;
    ++phase_;
    tally_[phase_ & 1] = 0;
}

// Names up to four lines with the number of threads that wait there.
void Block::barrier_fault(const char *kind) {
    Report report(kind);
    report.here().number("threads", size_).number("returned", done_);
    int lines[4], counts[4], at_barrier[4], sites = 0;
    for (int position = 0; position < size_; ++position) {
        const Thread &thread = threads_[position];
        if (thread.done || thread.until < phase_) continue;
        int site = 0;
        const int barrier = thread.waits == Waits::barrier;
        while (site < sites && (lines[site] != thread.line || at_barrier[site] != barrier)) ++site;
        if (site == 4) continue;
        if (site == sites) {
            lines[sites] = thread.line;
            at_barrier[sites] = barrier;
            counts[sites++] = 0;
        }
        ++counts[site];
    }
    static const char *const line_keys[] = {"line0", "line1", "line2", "line3"};
    static const char *const count_keys[] = {"count0", "count1", "count2", "count3"};
    static const char *const barrier_keys[] = {"barrier0", "barrier1", "barrier2", "barrier3"};
    for (int site = 0; site < sites; ++site) {
        report.number(line_keys[site], lines[site]).number(count_keys[site], counts[site]);
        report.number(barrier_keys[site], at_barrier[site]);
    }
    report.submit();
}

void barrier(int line) { block->barrier(line); }
int barrier_count(bool predicate, int line) { return block->barrier_count(predicate, line); }
int block_threads() { return block->size(); }

}  // namespace sim
