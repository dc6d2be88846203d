#include <lab.h>

// after MATMUL in our Fortran library; macro for the elements as there
#define EL(X, i, j) X[(i) + (j) * N]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i = blockIdx.x * 16 + threadIdx.x;
    const int j = blockIdx.y * 16 + threadIdx.y;

    if (i < N && j < N) {
        float s = 0.0f;

        for (int k = 0; k < N; ++k)
            s = s + EL(A, i, k) * EL(B, k, j);

        EL(C, i, j) = s;
    } // end if
} // end subroutine

LAUNCH(.block = {16, 16}, .tile = {16, 16});
