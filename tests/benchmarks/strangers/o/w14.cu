#include <lab.h>

#define BLOK 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  int satir = blockIdx.y * BLOK + threadIdx.y;
  int sutun = blockIdx.x * BLOK + threadIdx.x;

  // matrisin disindaki threadler bir sey yapmaz
  if (satir <= N && sutun <= N) {
    float toplam = 0.0f;
    for (int k = 0; k < N; k++) {
      toplam += A[satir * N + k] * B[k * N + sutun];
    }
    C[satir * N + sutun] = toplam;
  }
}

LAUNCH(.block = {BLOK, BLOK}, .tile = {BLOK, BLOK});
