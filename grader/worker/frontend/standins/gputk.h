// Declares what host code calls of GPU-TK, where it is not installed. Host code never runs.
#pragma once

#define WB(NAME) gpuTK##NAME
#include "wb_functions.h"
#undef WB
#define gpuTKLog(level, ...) ((void)0)
#define gpuTKTime_start(kind, ...) ((void)0)
#define gpuTKTime_stop(kind, ...) ((void)0)
#define gpuTKAssert(condition, ...) ((void)0)
