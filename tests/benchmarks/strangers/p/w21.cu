#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r, k, m;
    float s;

    r = threadIdx.y + blockIdx.y * blockDim.y;   /* rij    */
    k = threadIdx.x + blockIdx.x * blockDim.x;   /* kolom  */

    if (r <= N && k <= N) {
        s = 0.0;
        m = 0;
        while (m < N) {
            s = s + A[r*N + m] * B[m*N + k];
            m = m + 1;
        }
        C[r*N + k] = s;
    }
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
