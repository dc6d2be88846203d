// What stopped a run, as one JSON object in a file that was mapped before any student code ran.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sim {

constexpr size_t report_bytes = 4096;

// Safe in a signal handler: no allocation, no locks, no system call but the exit.
class Report {
public:
    explicit Report(const char *kind);
    Report &number(const char *key, long long value);
    Report &text(const char *key, const char *value);
    Report &triple(const char *key, unsigned x, unsigned y, unsigned z);
    Report &here();  // the thread and the block that are running
    [[noreturn]] void submit();

private:
    void key(const char *name);
    void put(char c);
    void raw(const char *s);
    void digits(long long value);

    char buffer_[report_bytes];
    size_t length_ = 0;
};

void report_into(char *page);

}  // namespace sim
