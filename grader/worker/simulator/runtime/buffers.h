// A, B and C in memory: each mapped from its file, far from everything else, at the same address for every launch.
#pragma once

#include "job.h"

namespace sim {

struct Buffer {
    char *reserved = nullptr;  // address space that nothing may touch, but for the file in its middle
    size_t reserved_bytes = 0;
    char *data = nullptr;
    size_t bytes = 0;
};

extern Buffer buffers[buffer_count];

void reserve_buffers(const Job &job);
void map_buffers(const Job &job, int launch);

}  // namespace sim
