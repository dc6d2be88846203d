// What all 32 lanes of a warp do as one: the last to come does the work for all, with the share that each has brought.
#pragma once

namespace sim {

using WarpWork = void (*)(void *const *shares);

void whole_warp(WarpWork work, void *share, int line);

}  // namespace sim
