#include <lab.h>

// One block = one row of C (or more, if the grid were smaller). blockIdx.x selects the row.
#define CHUNK 512

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float piece[CHUNK];

    for (int row = blockIdx.x; row < N; row += gridDim.x) {
        for (int first = blockIdx.y * blockDim.x; first < N; first += gridDim.y * blockDim.x) {
            const int col = first + threadIdx.x;
            float sum = 0.0f;

            for (int k0 = 0; k0 < N; k0 += CHUNK) {
                const int len = min(CHUNK, N - k0);
                __syncthreads();    // the last chunk has been used
                for (int k = threadIdx.x; k < len; k += blockDim.x)
                    piece[k] = A[row * N + k0 + k];
                __syncthreads();
                if (col < N)
                    for (int k = 0; k < len; ++k)
                        sum += piece[k] * B[(k0 + k) * N + col];
            }

            if (col < N)
                C[row * N + col] = sum;
        }
    }
}

LAUNCH(.block = {160}, .tile = {160, 1}, .grid_x = ROWS);
