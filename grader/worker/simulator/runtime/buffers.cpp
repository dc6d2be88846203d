#include "buffers.h"

#include <sys/mman.h>

#include "fault.h"

namespace sim {

Buffer buffers[buffer_count];

namespace {

// An index that is wrong by a factor of N still lands within this distance.
constexpr size_t gap = size_t{1} << 30;

size_t largest_file(const Job &job, int buffer) {
    size_t largest = 0;
    for (int launch = 0; launch < job.launch_count; ++launch) {
        const BufferFile &file = job.files[launch][buffer];
        size_t size = file.before + file.bytes + file.after;
        if (size > largest) largest = size;
    }
    return largest;
}

}  // namespace

void reserve_buffers(const Job &job) {
    for (int i = 0; i < buffer_count; ++i) {
        size_t size = largest_file(job, i);
        if (size == 0) continue;
        Buffer &buffer = buffers[i];
        buffer.reserved_bytes = gap + size + gap;
        constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void *memory = mmap(nullptr, buffer.reserved_bytes, PROT_NONE, flags, -1, 0);
        if (memory == MAP_FAILED) Report("no-memory").submit();
        buffer.reserved = static_cast<char *>(memory);
    }
}

void map_buffers(const Job &job, int launch) {
    for (int i = 0; i < buffer_count; ++i) {
        const BufferFile &file = job.files[launch][i];
        if (file.descriptor < 0) continue;
        char *where = buffers[i].reserved + gap;
        size_t size = file.before + file.bytes + file.after;
        void *memory = mmap(where, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.descriptor, 0);
        if (memory == MAP_FAILED) Report("no-memory").submit();
        buffers[i].data = where + file.before;
        buffers[i].bytes = file.bytes;
    }
}

}  // namespace sim
