"""What to try after a fault that the simulator has found, where several faults share the words."""

from __future__ import annotations

INDEX_HINT = "Compare row, column and k with the size of the matrix before every access."
POINTER_HINT = "Check how the pointer or index is computed, and the indices of shared and local arrays."
SHARED_HINT = "Compare the indices with the sizes in the array's declaration, and .shared of LAUNCH with what is used."
LOCAL_HINT = "Compare the indices with the size in the array's declaration: other arrays of the thread lie beside it."
FULL_HEAP_HINT = (
    "malloc() and new return a null pointer when the heap (8 MiB) is full. Call free() or delete for memory that is no "
    "longer needed, or let one thread allocate for its block."
)
NO_OBJECT_HINT = (
    "Let one thread of the block initialise the object, with init(&barrier, number of threads) or mbarrier.init, and "
    "put a __syncthreads() between that and its first use."
)
ENDED_OBJECT_HINT = (
    "mbarrier.inval, which the destructor of cuda::barrier contains, comes after the last use of an object, with a "
    "__syncthreads() between the two. Initialise the object again before it is used again."
)
ENDLESS_PHASE_HINT = (
    "The line waits at a barrier object whose phase does not end: each phase takes as many arrivals as init() or "
    "mbarrier.init says. Do as many threads arrive, each once, or does one of them never come?"
)
VALUE_HINT = (
    "The loop in that line only waits for a value in memory. Which line writes that value, in which thread, does that "
    "thread come there, and is it the value that the loop waits for?"
)
CLUSTER_HINT = "Use block numbers below cluster.num_blocks(). __cluster_dims__ sets how many blocks a cluster has."
TOGETHER = "All 32 threads of a warp must make the same call: let conditions depend on the warp, not on the thread."
