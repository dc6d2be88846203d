#include <lab.h>

#define RW 2   // rows per thread
#define CW 4   // columns per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r = blockIdx.y * 8 * RW + threadIdx.y;
    int c = blockIdx.x * 32 * CW + threadIdx.x;

    for (int i = 0; i < RW; i++) {
        int row = r + 8 * i;
        if (row >= N) break;
        float s[CW] = {0.0f};
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            for (int j = 0; j < CW; j++)
                if (c + 32 * j < N)
                    s[j] += a * B[k * N + c + 32 * j];
        }
        for (int j = 0; j < CW; j++)
            if (c + 32 * j < N)
                C[row * N + c + 32 * j] = s[j];
    }
}

LAUNCH(.block = {32, 8}, .tile = {8 * RW, 32 * CW});
