// A submission is native code here. Before any of it runs, the process gives up all that the runtime does not need.
#pragma once

namespace sim {

void confine();

}  // namespace sim
