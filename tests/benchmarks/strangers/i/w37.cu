// Submission by group 7
// idea: no index arithmetic in the loop, only pointers
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int c = blockIdx.x * 64 + threadIdx.x;
    const int r = blockIdx.y * 4 + threadIdx.y;

    if (r < N && c < N) {
        const float *a = A + r * N;      // walks along the row of A
        const float *b = B + c;          // walks through B
        const float *end = a + N;
        float acc = 0.0f;
        while (a != end) {
            acc += *a * *b;
            a++;
            b++;
        }
        C[r * N + c] = acc;
    }
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
