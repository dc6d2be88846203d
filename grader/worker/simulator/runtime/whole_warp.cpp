// Operations that all 32 lanes of a warp do as one, as those of tensor cores: no mask, no lane that has returned.
#include "block.h"
#include "fault.h"

namespace sim {

void Block::whole_warp(WarpWork work, void *share, int line) {
    Thread &thread = current();
    int number = linear(running_), first = number & ~(warp_lanes - 1);
    if (first + warp_lanes > size_) {
        Report("warp-partial").here().number("line0", line).number("threads", size_).submit();
    }
    thread.waits = Waits::whole_warp;
    thread.until = forever;
    thread.line = line;
    thread.share = share;
    thread.work = work;
    if (++assembled_[number / warp_lanes] == warp_lanes) finish_whole_warp(work, line, first);
    else suspend();
}

void Block::finish_whole_warp(WarpWork work, int line, int first) {
    void *shares[warp_lanes];
    for (int lane = 0; lane < warp_lanes; ++lane) {
        const Thread &thread = threads_[position(first + lane)];
        if (thread.line != line || thread.work != work) {
            Report("warp-divided").here().number("line0", line).number("line1", thread.line).submit();
        }
        shares[lane] = thread.share;
    }
    work(shares);
    assembled_[first / warp_lanes] = 0;
    for (int lane = 0; lane < warp_lanes; ++lane) {
        Thread &thread = threads_[position(first + lane)];
        thread.until = 0;
        thread.waits = Waits::no;
    }
}

void whole_warp(WarpWork work, void *share, int line) { block->whole_warp(work, share, line); }

}  // namespace sim
