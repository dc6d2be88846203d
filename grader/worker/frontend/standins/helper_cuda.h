// Declares what host code calls of the CUDA samples' helpers, where these are not installed. Host code never runs.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "helper_string.h"

#define checkCudaErrors(call) ((void)(call))
#define getLastCudaError(message) ((void)(message))
inline int findCudaDevice(int, const char **) { return 0; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int _ConvertSMVer2Cores(int, int) { return 128; }
inline int gpuDeviceInit(int) { return 0; }
inline bool checkCudaCapabilities(int, int) { return true; }
template <class Result> inline const char *_cudaGetErrorEnum(Result) { return ""; }
