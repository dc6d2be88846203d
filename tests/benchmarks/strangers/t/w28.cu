#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tid_x = blockIdx.x * blockDim.x + threadIdx.x;
    const int tid_y = blockIdx.y * blockDim.y + threadIdx.y;

    if (tid_x < N && tid_y < N) {
        const size_t pitch = N * sizeof(float);       /* bytes from one row to the next */
        const float *a_row = (const float *)((const char *)A + tid_y * pitch);
        float       *c_row = (float *)((char *)C + tid_y * pitch);
        const float *b_elt = B + tid_x;
        float        value = 0.0f;

        for (int k = 0; k < N; ++k, b_elt += pitch)
            value += a_row[k] * *b_elt;

        c_row[tid_x] = value;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
