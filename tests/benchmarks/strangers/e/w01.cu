#include <lab.h>

#define CHUNK 256
#define MIN(a, b) (a) < (b) ? (a) : (b)

// One block = 256 neighbouring elements of one row of C.
// The row of A is read in chunks into shared memory, B directly (coalesced).
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float rowA[CHUNK];
    const int row = blockIdx.y;
    const int col = blockIdx.x * CHUNK + threadIdx.x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += CHUNK) {
        if (k0 + threadIdx.x < N)
            rowA[threadIdx.x] = A[row * N + k0 + threadIdx.x];
        __syncthreads();

        int end = k0 + MIN(CHUNK, N - k0);
        if (col < N) {
            for (int k = k0; k < end; k++)
                sum += rowA[k - k0] * B[k * N + col];
        }
        __syncthreads();
    }

    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {CHUNK, 1}, .tile = {CHUNK, 1});
