#include <lab.h>
__device__ cudaTextureObject_t image;
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    C[threadIdx.x] = tex1Dfetch<float>(image, threadIdx.x);
}
LAUNCH(.block = {32}, .tile = {1, 1});
