// Traps, fences, clocks and printing.
#pragma once

namespace sim {
[[noreturn]] void trap(int line);
long long clock();
}  // namespace sim

extern "C" int sim_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
namespace std {
using ::sim_printf;
}
#define printf sim_printf

inline void __trap(int line = __builtin_LINE()) { sim::trap(line); }
inline void __brkpt(int line = __builtin_LINE()) { sim::trap(line); }

inline void __threadfence() { sim::pause(); }
inline void __threadfence_block() { sim::pause(); }
inline void __threadfence_system() { sim::pause(); }
inline void __nanosleep(unsigned) { sim::pause(); }

inline long long clock64() { return sim::clock(); }
namespace sim {
inline long int clock_ticks() { return static_cast<long int>(sim::clock()); }
}  // namespace sim
#define clock() ::sim::clock_ticks()
