#include <lab.h>

// two-stage pipeline with cp.async, see the "Async copy" section of the CUDA programming guide
#define CP_COMMIT()  asm volatile("cp.async.commit_group;" ::: "memory")
#define CP_WAIT(n)   asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

static constexpr int DIM = 32;
static constexpr int ROWSTEP = 8;

__device__ inline void cpAsync(float *smem, const float *gmem, bool valid)
{
    const unsigned addr = static_cast<unsigned>(__cvta_generic_to_shared(smem));
    const int size = valid ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(addr), "l"(gmem), "r"(size) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[2][DIM][DIM];
    __shared__ float bufB[2][DIM][DIM];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int rowBase = blockIdx.y * DIM, colBase = blockIdx.x * DIM;
    const int count = (N + DIM - 1) / DIM;

    auto fetch = [&](int stage, int t) {
        for (int y = ty; y < DIM; y += ROWSTEP) {
            const int ar = rowBase + y, ac = t * DIM + tx;
            const int br = t * DIM + y, bc = colBase + tx;
            const bool va = ar < N && ac < N;
            const bool vb = br < N && bc < N;
            cpAsync(&bufA[stage][y][tx], va ? &A[ar * N + ac] : A, va);
            cpAsync(&bufB[stage][y][tx], vb ? &B[br * N + bc] : B, vb);
        }
    };

    float sum[DIM / ROWSTEP] = {0.0f};

    fetch(0, 0);
    CP_COMMIT();

    for (int t = 0; t < count; ++t) {
        if (t + 1 < count) {
            fetch((t + 1) & 1, t + 1);
            CP_COMMIT();
        }
        CP_WAIT(1);
        __syncthreads();

        for (int k = 0; k < DIM; ++k) {
            const float b = bufB[t & 1][k][tx];
            for (int i = 0; i < DIM / ROWSTEP; ++i)
                sum[i] += bufA[t & 1][ty + i * ROWSTEP][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < DIM / ROWSTEP; ++i) {
        const int r = rowBase + ty + i * ROWSTEP, c = colBase + tx;
        if (r < N && c < N) C[r * N + c] = sum[i];
    }
}

LAUNCH(.block = {DIM, ROWSTEP}, .tile = {DIM, DIM});
