// A submission is native code here. Before any of it runs, the process gives up all that the runtime does not need.
#pragma once

namespace sim {

// Processor time of all threads together is limited to what all cores give in `seconds`.
void confine(double seconds);

}  // namespace sim
