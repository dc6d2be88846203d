// Declares what host code calls of the CUDA samples' helpers, where these are not installed. Host code never runs.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "lab_call.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define checkCudaErrors(call) ((void)(call))
#define getLastCudaError(message) ((void)(message))

class StopWatchInterface;
extern LabCall<int> findCudaDevice, gpuGetMaxGflopsDeviceId, _ConvertSMVer2Cores, gpuDeviceInit, getCmdLineArgumentInt,
    sdkDumpBin;
extern LabCall<bool> checkCudaCapabilities, checkCmdLineFlag, getCmdLineArgumentString, sdkCompareL2fe, sdkCreateTimer,
    sdkDeleteTimer, sdkStartTimer, sdkStopTimer, sdkResetTimer;
extern LabCall<float> getCmdLineArgumentFloat, sdkGetTimerValue, sdkGetAverageTimerValue;
extern LabCall<const char *> _cudaGetErrorEnum;
extern LabCall<char *> sdkFindFilePath;
