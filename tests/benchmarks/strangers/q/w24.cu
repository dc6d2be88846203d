#include <lab.h>
#include <cooperative_groups.h>

using namespace cooperative_groups;

static const int DIM = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    thread_block block = this_thread_block();
    auto warp = tiled_partition<32>(block);

    __shared__ float Asub[DIM][DIM];
    __shared__ float Bsub[DIM][DIM];

    int tx = threadIdx.x, ty = threadIdx.y;
    int gx = block.group_index().x * DIM + tx;
    int gy = block.group_index().y * DIM + ty;
    float r = 0.0f;

    for (int k0 = 0; k0 < N; k0 += DIM) {
        Asub[ty][tx] = (gy < N && k0 + tx < N) ? A[gy * N + k0 + tx] : 0.0f;
        Bsub[ty][tx] = (k0 + ty < N && gx < N) ? B[(k0 + ty) * N + gx] : 0.0f;
        warp.sync();
        for (int e = 0; e < DIM; ++e)
            r += Asub[ty][e] * Bsub[e][tx];
        block.sync();
    }

    if (gx < N && gy < N)
        C[gy * N + gx] = r;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});
