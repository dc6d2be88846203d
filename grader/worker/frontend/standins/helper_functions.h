// Declares what host code calls of the CUDA samples' helpers, where these are not installed. Host code never runs.
#pragma once

#include "helper_timer.h"
#include "helper_string.h"

template <class Number> inline bool sdkCompareL2fe(const Number *, const Number *, unsigned, float) { return true; }
template <class... Arguments> inline void sdkDumpBin(Arguments &&...) {}
