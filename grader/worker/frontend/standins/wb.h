// Declares what host code calls of libwb, where it is not installed. Host code never runs.
#pragma once

#define WB(NAME) wb##NAME
#include "wb_functions.h"
#undef WB
#define wbLog(level, ...) ((void)0)
#define wbTime_start(kind, ...) ((void)0)
#define wbTime_stop(kind, ...) ((void)0)
#define wbAssert(condition, ...) ((void)0)
