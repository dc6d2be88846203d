// Declares the calls that mark ranges for a profiler, where they are not installed. Host code never runs.
#pragma once

#include "lab_call.h"

extern LabCall<int> nvtxRangePush, nvtxRangePushA, nvtxRangePop, nvtxMark, nvtxMarkA;
