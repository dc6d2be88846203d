// Device printf and assert. What a kernel prints is bounded, for a grid has millions of threads.
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>

#include "fault.h"
#include "launch.h"

extern "C" int sim_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

namespace {
std::atomic<long long> printed{0};
}

extern "C" int sim_printf(const char *format, ...) {
    char line[4096];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (length < 0) return length;
    auto size = static_cast<size_t>(length) < sizeof line ? static_cast<size_t>(length) : sizeof line - 1;
    if (printed.fetch_add(static_cast<long long>(size)) > sim::current_job->output_bytes) {
        sim::Report("output").here().submit();
    }
    ssize_t ignored = write(1, line, size);
    (void)ignored;
    return length;
}

// assert.h declares it, and the C library's would print to a stream and abort.
extern "C" [[noreturn]] void __assert_fail(const char *expression, const char *, unsigned line, const char *) noexcept {
    sim::Report("assert").here().number("line0", line).text("expression", expression).submit();
}
