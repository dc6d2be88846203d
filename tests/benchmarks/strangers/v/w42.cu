#include <lab.h>

// 48 x 48 results per block, 12 x 12 threads, 4 x 4 results each
enum { B_ = 48, K_ = 20, TH = 12, R_ = 4, NTHREADS = TH * TH };
enum { ROUNDS = (B_ * K_) / NTHREADS };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[B_ * K_];
    __shared__ float sB[K_ * B_];
    const int me = threadIdx.x + TH * threadIdx.y;
    const int i0 = B_ * blockIdx.y;
    const int j0 = B_ * blockIdx.x;

    float c[R_][R_];
    for (int i = 0; i < R_; ++i)
        for (int j = 0; j < R_; ++j)
            c[i][j] = 0.f;

    for (int k0 = 0; k0 < N; k0 += K_) {
        for (int s = 0; s < ROUNDS; ++s) {
            const int e = me + s * NTHREADS;
            if (e < B_ * K_) {
                const int ia = i0 + e / K_, ka = k0 + e % K_;
                const int kb = k0 + e / B_, jb = j0 + e % B_;
                sA[e] = (ia < N && ka < N) ? A[ia * N + ka] : 0.f;
                sB[e] = (kb < N && jb < N) ? B[kb * N + jb] : 0.f;
            }
        }
        __syncthreads();

        for (int k = 0; k < K_; ++k) {
            float a[R_], b[R_];
            for (int i = 0; i < R_; ++i) a[i] = sA[(threadIdx.y * R_ + i) * K_ + k];
            for (int j = 0; j < R_; ++j) b[j] = sB[k * B_ + threadIdx.x + j * TH];
            for (int i = 0; i < R_; ++i)
                for (int j = 0; j < R_; ++j)
                    c[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < R_; ++i)
        for (int j = 0; j < R_; ++j) {
            const int gi = i0 + threadIdx.y * R_ + i;
            const int gj = j0 + threadIdx.x + j * TH;
            if (gi < N && gj < N) C[gi * N + gj] = c[i][j];
        }
}

LAUNCH(.block = {TH, TH}, .tile = {B_, B_});
