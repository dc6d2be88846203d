// HPC course, exercise 3 -- ported from our OpenCL version
#include <lab.h>

#define get_local_id_x()  ((int)threadIdx.x)
#define get_local_id_y()  ((int)threadIdx.y)
#define get_group_id_x()  ((int)blockIdx.x)
#define get_group_id_y()  ((int)blockIdx.y)
#define barrier()         __syncthreads()
#define WG 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[WG][WG];
    __shared__ float tileB[WG][WG];

    const int lx = get_local_id_x();
    const int ly = get_local_id_y();
    const int gx = get_group_id_x() * WG + lx;
    const int gy = get_group_id_y() * WG + ly;

    float sum = 0.0f;
    for (int t = 0; t * WG < N; ++t) {
        const int kk = t * WG + lx;
        tileA[ly][lx] = (gy < N && kk < N) ? A[gy * N + kk] : 0.0f;

        const int gk = t * WG + ly;
        tileB[lx][ly] = (gk < N && gx < N) ? B[gk * N + gx] : 0.0f;
        barrier();

        for (int k = 0; k < WG; ++k)
            sum += tileA[ly][k] * tileB[k][lx];
        barrier();
    }

    if (gx < N && gy < N)
        C[gy * N + gx] = sum;
}

LAUNCH(.block = {WG, WG}, .tile = {WG, WG});
