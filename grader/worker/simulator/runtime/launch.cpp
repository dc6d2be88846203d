#include "launch.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <atomic>

#include "buffers.h"
#include "fault.h"
#include "shared_memory.h"
#include "signals.h"

namespace sim {

const Value *arguments = nullptr;
const Job *current_job = nullptr;

namespace {

// Each block of a worker has up to 1024 stacks of two mappings, and Linux allows 65530 mappings to a process.
constexpr int max_workers = 24;

struct Worker {
    pthread_t thread{};
    Block block;
    uint64_t seen = 0;       // by the watchdog
    double seen_at = 0;
    std::atomic<bool> busy{false};
};

Worker workers[max_workers];
std::atomic<int64_t> next_block{0};
std::atomic<int> running{0};
double began = 0;

double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int64_t blocks_to_run(const Job &job) {
    if (job.blocks) return job.block_count;
    return static_cast<int64_t>(job.grid[0]) * job.grid[1] * job.grid[2];
}

void place(const Job &job, int64_t number) {
    auto linear = static_cast<uint64_t>(job.blocks ? job.blocks[number] : number);
    blockIdx.x = static_cast<unsigned>(linear % job.grid[0]);
    blockIdx.y = static_cast<unsigned>(linear / job.grid[0] % job.grid[1]);
    blockIdx.z = static_cast<unsigned>(linear / job.grid[0] / job.grid[1]);
}

void *run_blocks(void *argument) {
    auto &worker = *static_cast<Worker *>(argument);
    const Job &job = *current_job;
    block = &worker.block;
    use_signal_stack();
    int64_t count = blocks_to_run(job);
    for (int64_t number; (number = next_block.fetch_add(1)) < count;) {
        place(job, number);
        poison_shared(job.shared);
        worker.block.run(job.order);
        check_shared(job.shared);
    }
    worker.busy = false;
    running.fetch_sub(1);
    return nullptr;
}

// Time is up: say what the block did that made no progress for the longest time.
void stop_late_launch(int count) {
    Worker *stuck = nullptr;
    for (Worker *worker = workers; worker < workers + count; ++worker) {
        if (worker->busy && (!stuck || worker->seen_at < stuck->seen_at)) stuck = worker;
    }
    if (!stuck) return;
    stuck_seconds = now() - stuck->seen_at;
    pthread_kill(stuck->thread, SIGUSR1);  // its handler reports where it is
}

void watch(const Job &job, int count) {
    bool stopped = false;
    while (running.load() > 0) {
        timespec nap{0, 1000000};
        nanosleep(&nap, nullptr);
        double time = now();
        for (Worker *worker = workers; worker < workers + count; ++worker) {
            uint64_t progress = worker->block.progress();
            if (progress == worker->seen) continue;
            worker->seen = progress;
            worker->seen_at = time;
        }
        if (!stopped && time - began > job.seconds) {
            stopped = true;
            stop_late_launch(count);
        }
    }
}

void fill_arguments(const Job &job, Value *values) {
    for (int i = 0; i < job.argument_count; ++i) {
        const JobArgument &argument = job.arguments[i];
        if (argument.kind == 'b') values[i].pointer = buffers[argument.buffer].data;
        else if (argument.kind == 'i') values[i].integer = argument.integer;
        else values[i].real = argument.real;
    }
}

}  // namespace

void launch(const Job &job) {
    Value values[max_arguments];
    fill_arguments(job, values);
    arguments = values;
    current_job = &job;
    blockDim = dim3(job.block[0], job.block[1], job.block[2]);
    gridDim = dim3(job.grid[0], job.grid[1], job.grid[2]);
    if (began == 0) began = now();
    next_block = 0;
    int64_t blocks = blocks_to_run(job);
    int count = job.workers < max_workers ? job.workers : max_workers;
    if (count > blocks) count = static_cast<int>(blocks);
    running = count;
    for (int i = 0; i < count; ++i) {
        workers[i].busy = true;
        workers[i].seen_at = now();
        if (pthread_create(&workers[i].thread, nullptr, run_blocks, &workers[i]) != 0) Report("no-memory").submit();
    }
    watch(job, count);
    for (int i = 0; i < count; ++i) pthread_join(workers[i].thread, nullptr);
}

}  // namespace sim
