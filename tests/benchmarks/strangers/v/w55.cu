#include <lab.h>

// Grouped order of the tiles, like in the Triton tutorial, so that the L2 is reused:
// 8 rows of tiles are finished before we go on to the next 8.
constexpr int TB = 32;
constexpr int GROUP_M = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TB][TB + 1];
    __shared__ float sb[TB][TB + 1];

    const int num_pid_m = gridDim.y;
    const int num_pid_n = gridDim.x;
    const int pid = blockIdx.y * gridDim.x + blockIdx.x;
    const int num_pid_in_group = GROUP_M * num_pid_n;
    const int group_id = pid / num_pid_in_group;
    const int first_pid_m = group_id * GROUP_M;
    const int group_size_m = min(num_pid_m - first_pid_m, GROUP_M);
    const int pid_m = first_pid_m + (pid % num_pid_in_group) % group_size_m;
    const int pid_n = (pid % num_pid_in_group) / GROUP_M;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r0 = pid_m * TB, c0 = pid_n * TB;
    float a00 = 0, a01 = 0, a10 = 0, a11 = 0;

    auto at = [N](const float *M, int r, int c) { return r < N && c < N ? M[r * N + c] : 0.0f; };

    for (int k0 = 0; k0 < N; k0 += TB) {
        sa[ty][tx] = at(A, r0 + ty, k0 + tx);
        sa[ty][tx + 16] = at(A, r0 + ty, k0 + tx + 16);
        sa[ty + 16][tx] = at(A, r0 + ty + 16, k0 + tx);
        sa[ty + 16][tx + 16] = at(A, r0 + ty + 16, k0 + tx + 16);
        sb[ty][tx] = at(B, k0 + ty, c0 + tx);
        sb[ty][tx + 16] = at(B, k0 + ty, c0 + tx + 16);
        sb[ty + 16][tx] = at(B, k0 + ty + 16, c0 + tx);
        sb[ty + 16][tx + 16] = at(B, k0 + ty + 16, c0 + tx + 16);
        __syncthreads();
        for (int k = 0; k < TB; ++k) {
            a00 += sa[ty][k] * sb[k][tx];
            a01 += sa[ty][k] * sb[k][tx + 16];
            a10 += sa[ty + 16][k] * sb[k][tx];
            a11 += sa[ty + 16][k] * sb[k][tx + 16];
        }
        __syncthreads();
    }

    auto put = [=](int r, int c, float v) { if (r < N && c < N) C[r * N + c] = v; };
    put(r0 + ty, c0 + tx, a00);
    put(r0 + ty, c0 + tx + 16, a01);
    put(r0 + ty + 16, c0 + tx, a10);
    put(r0 + ty + 16, c0 + tx + 16, a11);
}

LAUNCH(.block = {16, 16}, .tile = {TB, TB});
