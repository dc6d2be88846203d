#include "shared_memory.h"

#include <cstring>

#include "fault.h"

// Defined in shared_begin.cpp and shared_end.cpp, which are linked before and after the submission.
extern "C" {
extern __thread char sim_shared_begin[1024];
extern __thread char sim_shared_end[1024];
extern __thread char sim_dynamic_shared[];
}

namespace sim {

namespace {

constexpr int poison = 0xff;
constexpr size_t margin = 1024;

bool intact(const char *bytes) {
    for (size_t i = 0; i < margin; ++i) {
        if (bytes[i] != static_cast<char>(poison)) return false;
    }
    return true;
}

}  // namespace

size_t static_shared() { return static_cast<size_t>(sim_shared_end - (sim_shared_begin + margin)); }

void poison_shared(size_t dynamic) {
    memset(sim_shared_begin, poison, static_shared() + 2 * margin);
    memset(sim_dynamic_shared, poison, dynamic + margin);
}

void check_shared(size_t dynamic) {
    if (!intact(sim_shared_begin) || !intact(sim_shared_end)) Report("static-shared").here().submit();
    if (!intact(sim_dynamic_shared + dynamic)) {
        Report("dynamic-shared").here().number("bytes", static_cast<long long>(dynamic)).submit();
    }
}

}  // namespace sim
