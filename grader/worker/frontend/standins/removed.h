// Declares what later versions of CUDA have removed, for host code that was written before. Host code never runs.
// The grader includes it in a file that has one of the names below, each after the version that removed it:
//
// 13.0: cudaThreadSynchronize cudaThreadExit cudaThreadGetLimit cudaThreadSetLimit cudaThreadGetCacheConfig
// 13.0: cudaThreadSetCacheConfig cudaMemPrefetchAsync cudaMemAdvise cudaLaunchCooperativeKernelMultiDevice
// 13.0: clockRate computeMode deviceOverlap kernelExecTimeoutEnabled maxTexture1DLinear memoryClockRate
// 13.0: singleToDoublePrecisionPerfRatio cooperativeMultiDeviceLaunch
// 12.0: cudaBindTexture cudaBindTexture2D cudaBindTextureToArray cudaUnbindTexture
// 11.0: cudaProfilerInitialize
// 10.1: cudaConfigureCall cudaSetupArgument cudaLaunch
#pragma once

#include <cuda_runtime.h>

#include "lab_call.h"

#if CUDART_VERSION >= 13000
struct __lab_device_properties : cudaDeviceProp {
    int clockRate, computeMode, deviceOverlap, kernelExecTimeoutEnabled, maxTexture1DLinear, memoryClockRate;
    int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};
#define cudaDeviceProp __lab_device_properties

inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
extern LabCall<cudaError_t> cudaThreadSynchronize, cudaThreadExit, cudaThreadGetLimit, cudaThreadSetLimit,
    cudaThreadGetCacheConfig, cudaThreadSetCacheConfig, cudaLaunchCooperativeKernelMultiDevice;
#endif
#if CUDART_VERSION >= 12000
extern LabCall<cudaError_t> cudaBindTexture, cudaBindTexture2D, cudaBindTextureToArray, cudaUnbindTexture;
#endif
#if CUDART_VERSION >= 11000
extern LabCall<cudaError_t> cudaProfilerInitialize;
#endif
#if CUDART_VERSION >= 10010
extern LabCall<cudaError_t> cudaConfigureCall, cudaSetupArgument, cudaLaunch;
#endif
