// Hardware faults, stray system calls and the watchdog all arrive as signals.
#pragma once

namespace sim {

extern double stuck_seconds;

void install_handlers();

// Handlers run on a stack of their own, for a thread may have used up its own.
void use_signal_stack();

}  // namespace sim
