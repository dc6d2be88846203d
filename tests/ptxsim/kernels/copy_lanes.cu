#include <cuda_pipeline_primitives.h>

// Lanes copy from A or B to one of two arrays, some of them zeros, and some of them nothing.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ TYPE even[32], odd[32];
    const int lane = threadIdx.x;
    const TYPE *from = reinterpret_cast<const TYPE *>(lane % FROM == 0 ? A : B) + lane;
    TYPE *to = lane % TO == 0 ? &even[lane] : &odd[lane];
    *to = reinterpret_cast<const TYPE *>(C)[lane];
    if (lane % SOME == 0)
        __pipeline_memcpy_async(to, from, sizeof(TYPE), lane % WHOLE == 0 ? 0 : sizeof(TYPE));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    reinterpret_cast<TYPE *>(C)[lane] = *to;
}
