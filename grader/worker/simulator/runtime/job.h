// What to run: a text file that the grader writes, one word and its values per line.
#pragma once

#include <cstdint>

#include "block.h"

namespace sim {

constexpr int max_arguments = 32;
constexpr int max_launches = 64;
constexpr int buffer_count = 3;  // A, B and C

struct BufferFile {
    int descriptor = -1;
    size_t before = 0;
    size_t bytes = 0;
    size_t after = 0;
};

struct JobArgument {
    char kind = 0;  // 'b'uffer, 'i'nteger or 'r'eal
    int buffer = 0;
    long long integer = 0;
    double real = 0;
};

struct Job {
    bool describe = false;
    int output = -1;  // describe: the file that receives the description
    Order order = Order::forward;
    unsigned grid[3] = {1, 1, 1};
    unsigned block[3] = {1, 1, 1};
    unsigned shared = 0;
    int workers = 1;
    double seconds = 0;
    long long output_bytes = 0;
    int argument_count = 0;
    JobArgument arguments[max_arguments];
    int launch_count = 0;
    BufferFile files[max_launches][buffer_count];
    const int64_t *blocks = nullptr;  // linear indices; all blocks when there is no list
    int64_t block_count = 0;
};

// Opens every file that the job names. What is wrong with it ends the process with status 2.
void read_job(int argc, char **argv, Job &job);

}  // namespace sim
