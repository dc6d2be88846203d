// Groups of threads up to a block: thread_block, thread_block_tile and coalesced_group (CUDA C++ Programming Guide,
// "Cooperative Groups"). Grids and clusters are not here.
#pragma once

#include <cuda_runtime.h>

namespace cooperative_groups {

class thread_block {
public:
    static void sync(int line = __builtin_LINE()) { sim::barrier(line); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }

// The lanes of one warp that a mask names. Ranks count from the lowest of them.
class warp_lanes {
public:
    unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return rank_of(sim::lane()); }
    void sync(int line = __builtin_LINE()) const { __syncwarp(mask_, line); }

    template <class T>
    T shfl(T value, int rank, int line = __builtin_LINE()) const {
        return from(value, static_cast<unsigned>(rank) % size(), line);
    }
    template <class T>
    T shfl_up(T value, unsigned delta, int line = __builtin_LINE()) const {
        return from(value, thread_rank() < delta ? thread_rank() : thread_rank() - delta, line);
    }
    template <class T>
    T shfl_down(T value, unsigned delta, int line = __builtin_LINE()) const {
        return from(value, thread_rank() + delta < size() ? thread_rank() + delta : thread_rank(), line);
    }
    template <class T>
    T shfl_xor(T value, unsigned bits, int line = __builtin_LINE()) const {
        return from(value, (thread_rank() ^ bits) < size() ? thread_rank() ^ bits : thread_rank(), line);
    }
    int any(int predicate, int line = __builtin_LINE()) const { return __any_sync(mask_, predicate, line); }
    int all(int predicate, int line = __builtin_LINE()) const { return __all_sync(mask_, predicate, line); }
    unsigned ballot(int predicate, int line = __builtin_LINE()) const {
        unsigned lanes = __ballot_sync(mask_, predicate, line), ranks = 0;
        for (unsigned rank = 0; rank < size(); ++rank) ranks |= (lanes >> lane_of(rank) & 1u) << rank;
        return ranks;
    }
    unsigned mask() const { return mask_; }

protected:
    explicit warp_lanes(unsigned mask) : mask_(mask) {}

private:
    unsigned rank_of(unsigned lane) const {
        return static_cast<unsigned>(__builtin_popcount(mask_ & ((1u << lane) - 1)));
    }
    unsigned lane_of(unsigned rank) const {
        unsigned rest = mask_;
        while (rank-- > 0) rest &= rest - 1;
        return static_cast<unsigned>(__builtin_ctz(rest));
    }
    template <class T>
    T from(T value, unsigned rank, int line) const {
        return sim::shuffle(mask_, value, static_cast<int>(lane_of(rank)), line);
    }

    unsigned mask_;
};

// Neighbouring lanes of one warp, as many as a power of two.
template <unsigned count, class Parent = void>
class thread_block_tile : public warp_lanes {
    static_assert(count > 0 && count <= 32 && (count & (count - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
    thread_block_tile() : warp_lanes((count == 32 ? ~0u : (1u << count % 32) - 1) << (sim::lane() & ~(count - 1))) {}
    unsigned meta_group_rank() const { return thread_block::thread_rank() / count; }
    unsigned meta_group_size() const { return (thread_block::size() + count - 1) / count; }
};

template <unsigned count, class Parent>
thread_block_tile<count, Parent> tiled_partition(const Parent &) {
    return {};
}

class coalesced_group : public warp_lanes {
public:
    explicit coalesced_group(unsigned mask) : warp_lanes(mask) {}
};

inline coalesced_group coalesced_threads(int line = __builtin_LINE()) {
    return coalesced_group(sim::active_mask(line));
}

template <class Group>
void sync(const Group &group, int line = __builtin_LINE()) {
    group.sync(line);
}

}  // namespace cooperative_groups
