#include <lab.h>
// tugas 4: loop unrolling 4x

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  int baris = blockIdx.y * blockDim.y + threadIdx.y;
  int kolom = blockIdx.x * blockDim.x + threadIdx.x;
  if (baris >= N || kolom >= N) return;

  const float *a = A + (size_t)baris * N;
  const float *b = B + kolom;
  const int utama = N / 4 * 4;

  float jumlah = 0.0f;
  for (int k = 0; k < utama; k += 4) {
    jumlah += a[k]     * b[(size_t)k * N];
    jumlah += a[k + 1] * b[(size_t)(k + 1) * N];
    jumlah += a[k + 2] * b[(size_t)(k + 2) * N];
    jumlah += a[k + 3] * b[(size_t)(k + 3) * N];
  }
  // sisa
  for (int k = utama + 1; k < N; ++k)
    jumlah += a[k] * b[(size_t)k * N];

  C[(size_t)baris * N + kolom] = jumlah;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
