// Declares what host code calls of the CUDA samples' helpers, where these are not installed. Host code never runs.
#pragma once

class StopWatchInterface;
inline bool sdkCreateTimer(StopWatchInterface **) { return true; }
inline bool sdkDeleteTimer(StopWatchInterface **) { return true; }
inline bool sdkStartTimer(StopWatchInterface **) { return true; }
inline bool sdkStopTimer(StopWatchInterface **) { return true; }
inline bool sdkResetTimer(StopWatchInterface **) { return true; }
inline float sdkGetTimerValue(StopWatchInterface **) { return 0; }
inline float sdkGetAverageTimerValue(StopWatchInterface **) { return 0; }
