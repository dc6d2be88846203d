// A launch: the blocks of a grid, spread over OS threads.
#pragma once

#include <cstddef>
#include <utility>

#include "coordinates.h"
#include "../include/sim/entry.h"
#include "job.h"

namespace sim {

extern const Value *arguments;
extern const Job *current_job;

// Runs the kernel once for every block of the job.
void launch(const Job &job);

}  // namespace sim
