// Declares the calls that mark ranges for a profiler, where they are not installed. Host code never runs.
#pragma once

template <class... Arguments> inline int nvtxRangePush(Arguments &&...) { return 0; }
template <class... Arguments> inline int nvtxRangePushA(Arguments &&...) { return 0; }
inline int nvtxRangePop() { return 0; }
template <class... Arguments> inline void nvtxMark(Arguments &&...) {}
template <class... Arguments> inline void nvtxMarkA(Arguments &&...) {}
