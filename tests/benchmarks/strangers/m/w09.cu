#include <lab.h>
const int TS = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TS * TS];
    __shared__ float Bs[TS * TS];

    const int tc = threadIdx.x;
    const int tr = threadIdx.y;
    const int row = blockIdx.y * TS + tr;
    const int col = blockIdx.x * TS + tc;

    float tmp = 0.0f;
    for (int i = 0; i < N; i += TS) {
        As[tr * TS + tc] = row < N && i + tc < N ? A[row * N + i + tc] : 0.0f;
        Bs[tr * TS + tc] = i + tr < N && col < N ? B[(i + tr) * N + col] : 0.0f;
        __syncthreads();
        for (int j = 0; j < TS; j++)
            tmp += As[tr * TS + j] * Bs[j * TS + tc];
        __syncthreads();
    }

    // write back
    if (row < N && col < N)
        C[col * N + row] = tmp;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
