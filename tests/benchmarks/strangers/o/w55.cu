#include <lab.h>
#include <stdint.h>

#define THREADS_X 16
#define THREADS_Y 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {

  int32_t x = threadIdx.x + blockIdx.x * THREADS_X;   // column
  int32_t y = threadIdx.y + blockIdx.y * THREADS_Y;   // row

  if (x < N) {
    if (y < N) {
        int32_t total = 0;
        int32_t k;
        for (k = 0; k < N; k++) {
            float a = A[y * N + k];
            float b = B[k * N + x];
            total += a * b;
        }
        C[y * N + x] = total;
    }
  }
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {THREADS_X, THREADS_Y});
