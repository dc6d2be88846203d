"""What to try after a fault that the simulator has found, where several faults share the words."""

from __future__ import annotations

from grader.model.hints import GeneralHint

ELEMENT = 4  # bytes of a float: no longer access is of one element
VARIABLE = "Compare the index with the number of elements in the declaration."
INDEX = GeneralHint("Compare row, column and k with the size of the matrix before every access.")
NEGATIVE = (
    f"The index is negative: is something subtracted from it, or is its type too narrow for it (char, short)? {INDEX}"
)
POINTER = "Check how the pointer or index is computed, and the indices of shared and local arrays."
ARRAY = "Compare the indices with the sizes in the array's declaration."
SHARED = "Compare the indices, and the block of LAUNCH, with the sizes in the array's declaration."
DYNAMIC = (
    "The array has as many bytes as .shared of LAUNCH says, and what is added to a pointer counts elements: compare "
    "the indices and pointers with that."
)
NO_DYNAMIC = (
    "The launch gives no dynamic shared memory: add .shared to LAUNCH, with the bytes of all arrays that lie in it, "
    "sizeof(float) for each element."
)
FULL_HEAP = (
    "malloc() and new return a null pointer when the heap (8 MiB) is full. Call free() or delete for memory that is no "
    "longer needed, or let one thread allocate for its block."
)
NO_OBJECT = (
    "Let one thread of the block initialise the object, with init(&barrier, number of threads) or mbarrier.init, and "
    "put a __syncthreads() between that and its first use. mbarrier.inval, which the destructor of cuda::barrier "
    "contains, ends it."
)
GRID = (
    "grid.sync() waits until every block of the grid has called it. Does a block return before, call it less often "
    "than others, or run a loop that does not end?"
)
CLUSTER = "Use block numbers below cluster.num_blocks(). __cluster_dims__ sets how many blocks a cluster has."
TOGETHER = "All 32 threads of a warp must make the same call: let conditions depend on the warp, not on the thread."
OF_ONE_THREAD = "An array without __shared__ belongs to one thread: what other threads store is not in it."


def misaligned(size: int) -> str:
    """Return what to try where an access of `size` bytes starts between two multiples of that."""
    if size <= ELEMENT:
        return (
            "Pointers and indices count elements, and not bytes: is an offset in elements added to a pointer to a "
            "shorter type, such as char, or a pointer cast to a longer one?"
        )
    return GeneralHint(
        "A float4, a copy of 16 bytes or a row for ldmatrix must start at a multiple of 16 bytes, a float2 at one of "
        "8: check the index, and where its row or array begins. Rows begin elsewhere where their length is no multiple "
        "of that, as where N is none of 4, and arrays where something else lies before them, as in a struct."
    )
