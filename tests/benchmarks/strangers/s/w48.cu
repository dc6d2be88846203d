#include <lab.h>
// tugas 2: fungsi bantu untuk indeks

static int indeks(int baris, int kolom, int lebar) {
  return baris * lebar + kolom;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  int baris = blockIdx.y * blockDim.y + threadIdx.y;
  int kolom = blockIdx.x * blockDim.x + threadIdx.x;

  if (baris < N && kolom < N) {
    float jumlah = 0.0f;
    for (int k = 0; k < N; ++k)
      jumlah += A[indeks(baris, k, N)] * B[indeks(k, kolom, N)];
    C[indeks(baris, kolom, N)] = jumlah;
  }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
