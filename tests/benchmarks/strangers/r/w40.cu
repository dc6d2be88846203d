#include <lab.h>
#include <stdint.h>

namespace {
constexpr int RM = 2;
constexpr int RN = 4;
constexpr int TX = 16;
constexpr int TY = 16;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int32_t m0 = (blockIdx.y * TY + threadIdx.y) * RM;
    const int32_t n0 = (blockIdx.x * TX + threadIdx.x) * RN;

    float acc[RM][RN];
    for (int i = 0; i < RM; ++i)
        for (int j = 0; j < RM; ++j) acc[i][j] = 0.f;

    for (int32_t k = 0; k < N; ++k)
        for (int i = 0; i < RM; ++i) {
            if (m0 + i >= N) break;
            const float a = A[(m0 + i) * N + k];
            for (int j = 0; j < RN; ++j) {
                if (n0 + j >= N) break;
                acc[i][j] += a * B[k * N + n0 + j];
            }
        }

    for (int i = 0; i < RM && m0 + i < N; ++i)
        for (int j = 0; j < RN && n0 + j < N; ++j)
            C[(m0 + i) * N + n0 + j] = acc[i][j];
}

LAUNCH(.block = {TX, TY}, .tile = {TX * RN, TY * RM});
