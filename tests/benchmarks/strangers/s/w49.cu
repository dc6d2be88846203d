#include <lab.h>

// Egy warp - egy sor: a reszosszegek a megosztott memoriaban futnak ossze.
constexpr int WARPOK = 4;
constexpr int OSZLOPOK = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float osszeg[WARPOK][32];

    const int lane = threadIdx.x;
    const int sor = blockIdx.y * WARPOK + threadIdx.y;
    float *sajat = osszeg[threadIdx.y];

    if (sor < N) {
        for (int j = 0; j < OSZLOPOK; ++j) {
            const int oszlop = blockIdx.x * OSZLOPOK + j;
            if (oszlop >= N) break;

            float x = 0.0f;
            for (int k = lane; k < N; k += 32)
                x += A[sor * N + k] * B[k * N + oszlop];
            sajat[lane] = x;
            __syncwarp();

            for (int s = 16; s > 0; s /= 2) {
                if (lane < s)
                    sajat[lane] += sajat[lane + s];
            }

            if (lane == 0)
                C[sor * N + oszlop] = sajat[0];
        }
    }
}

LAUNCH(.block = {32, WARPOK}, .tile = {OSZLOPOK, WARPOK});
