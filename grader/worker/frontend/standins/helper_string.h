// Declares what host code calls of the CUDA samples' helpers, where these are not installed. Host code never runs.
#pragma once

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline bool checkCmdLineFlag(int, const char **, const char *) { return false; }
inline int getCmdLineArgumentInt(int, const char **, const char *) { return 0; }
inline float getCmdLineArgumentFloat(int, const char **, const char *) { return 0; }
inline bool getCmdLineArgumentString(int, const char **, const char *, char **) { return false; }
inline char *sdkFindFilePath(const char *, const char *) { return 0; }
