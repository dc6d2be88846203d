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

#define LAB_DECLARE(NAME) \
    template <class... Arguments> inline cudaError_t NAME(Arguments &&...) { return cudaSuccess; }
#if CUDART_VERSION >= 13000
struct __lab_device_properties : cudaDeviceProp {
    int clockRate, computeMode, deviceOverlap, kernelExecTimeoutEnabled, maxTexture1DLinear, memoryClockRate;
    int singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};
#define cudaDeviceProp __lab_device_properties

inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
LAB_DECLARE(cudaThreadSynchronize)
LAB_DECLARE(cudaThreadExit)
LAB_DECLARE(cudaThreadGetLimit)
LAB_DECLARE(cudaThreadSetLimit)
LAB_DECLARE(cudaThreadGetCacheConfig)
LAB_DECLARE(cudaThreadSetCacheConfig)
LAB_DECLARE(cudaLaunchCooperativeKernelMultiDevice)
#endif
#if CUDART_VERSION >= 12000
LAB_DECLARE(cudaBindTexture)
LAB_DECLARE(cudaBindTexture2D)
LAB_DECLARE(cudaBindTextureToArray)
LAB_DECLARE(cudaUnbindTexture)
#endif
#if CUDART_VERSION >= 11000
LAB_DECLARE(cudaProfilerInitialize)
#endif
#if CUDART_VERSION >= 10010
LAB_DECLARE(cudaConfigureCall)
LAB_DECLARE(cudaSetupArgument)
LAB_DECLARE(cudaLaunch)
#endif
#undef LAB_DECLARE
