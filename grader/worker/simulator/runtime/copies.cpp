// A copy in the background is made as late as it may be: when its thread waits for it. So a kernel that forgets to wait
// computes with what was there before, every time.
#include <cstring>

#include <sys/mman.h>

#include "block.h"
#include "fault.h"

namespace sim {

namespace {

struct Copy {
    void *to;
    const void *from;
    unsigned size;
    unsigned zeros;
    uint64_t batch;
};

// Of one thread. A ring, and not from the heap: a new heap asks for files that a submission's process may not open.
struct Queue {
    static constexpr unsigned room = 512;

    uint64_t of_block = 0;  // copies that a block left behind are nobody's
    uint64_t batch = 0;     // that the next copy belongs to
    unsigned first = 0;
    unsigned count = 0;
    Copy copies[room];
};

__thread Queue *queues = nullptr;

Queue &mine() {
    if (!queues) {
        void *memory = mmap(nullptr, sizeof(Queue) * max_threads, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) Report("copies").here().submit();
        queues = static_cast<Queue *>(memory);
    }
    Queue &queue = queues[block->running()];
    if (queue.of_block != block->number()) {
        queue.of_block = block->number();
        queue.batch = 0;
        queue.count = 0;
    }
    return queue;
}

void check(const Copy &copy, int line) {
    bool known = copy.size == 4 || copy.size == 8 || copy.size == 16;
    if (!known || copy.zeros > copy.size) {
        Report("copy-size").here().number("line0", line).number("bytes", copy.size).number("zeros", copy.zeros).submit();
    }
    for (auto address : {reinterpret_cast<intptr_t>(copy.to), reinterpret_cast<intptr_t>(copy.from)}) {
        if (address % copy.size == 0) continue;
        Report("misaligned").here().number("line0", line).number("alignment", copy.size).number("address", address)
            .submit();
    }
}

void finish_oldest(Queue &queue) {
    const Copy &copy = queue.copies[queue.first];
    unsigned read = copy.size - copy.zeros;
    memcpy(copy.to, copy.from, read);
    memset(static_cast<char *>(copy.to) + read, 0, copy.zeros);
    queue.first = (queue.first + 1) % Queue::room;
    --queue.count;
}

}  // namespace

void start_copy(void *to, const void *from, unsigned size, unsigned zeros, int line) {
    Queue &queue = mine();
    Copy copy{to, from, size, zeros, queue.batch};
    check(copy, line);
    if (queue.count == Queue::room) finish_oldest(queue);  // a GPU's room has an end too
    queue.copies[(queue.first + queue.count++) % Queue::room] = copy;
}

void commit_copies() { ++mine().batch; }

void wait_for_copies(unsigned most_pending) {
    Queue &queue = mine();
    while (queue.count && queue.copies[queue.first].batch + most_pending < queue.batch) finish_oldest(queue);
}

}  // namespace sim
