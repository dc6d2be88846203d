// describe OUT: what the submission says of itself. run JOB: its launches, one after the other.
#include <stdio.h>
#include <unistd.h>

#include "../../../include/lab.h"
#include "buffers.h"
#include "confine.h"
#include "fault.h"
#include "job.h"
#include "launch.h"
#include "shared_memory.h"
#include "signals.h"

extern "C" {
extern const LabLaunch lab_launch __attribute__((weak, visibility("hidden")));
}

namespace sim {

namespace {

constexpr double describe_seconds = 10;

Job job;

// Everything that needs the file system happens here, before the submission's static constructors.
void prepare(int argc, char **argv, char **) {
    read_job(argc, argv, job);
    current_job = &job;
    reserve_buffers(job);
    install_handlers();
    use_signal_stack();
    confine(job.describe ? describe_seconds : job.seconds);
}

// The dynamic linker calls these before any constructor of the program (System V gABI, "Initialization and
// Termination Functions"); the runtime is linked first, so its entry is the first of them.
__attribute__((section(".preinit_array"), used)) void (*const first_of_all)(int, char **, char **) = prepare;

void describe_submission() {
    char text[1024];
    int length = 0;
    auto add = [&](auto... parts) {
        length += snprintf(text + length, sizeof text - static_cast<size_t>(length), parts...);
    };
    for (int i = 0; i < entry.count && i < max_arguments; ++i) {
        static const char *const names[] = {"pointer", "integer", "real", "other"};
        add("parameter %s\n", names[static_cast<int>(entry.parameters[i].kind)]);
    }
    if (&lab_launch) {
        const LabLaunch &l = lab_launch;
        add("launch %u %u %u %u %u %u %d\n", l.block[0], l.block[1], l.block[2], l.tile[0], l.tile[1], l.shared,
            static_cast<int>(l.grid_x));
    }
    ssize_t ignored = write(job.output, text, static_cast<size_t>(length));
    (void)ignored;
}

void run_job() {
    if (static_shared() > max_static_shared) {
        Report("too-much-shared").number("bytes", static_cast<long long>(static_shared())).submit();
    }
    for (int i = 0; i < job.launch_count; ++i) {
        map_buffers(job, i);
        launch(job);
    }
}

}  // namespace

}  // namespace sim

int main() {
    if (sim::job.describe) sim::describe_submission();
    else sim::run_job();
    _exit(0);
}
