// Kurs "GPU fuer Astronomen": Skalarprodukt als Lambda, kompensierte Summe nach Kahan
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  const size_t n = N;
  const size_t i = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
  const size_t j = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

  auto a = [=](size_t l) { return A[i * n + l]; };
  auto b = [=](size_t l) { return B[l * n + j]; };

  if (i < n && j < n) {
     float summe = 0.0f, rest = 0.0f;
     for (size_t l = 0; l < n; l++) {
        float y = fmaf(a(l), b(l), -rest);
        float t = summe + y;
        rest = (t - summe) - y;
        summe = t;
     }
     C[i * n + j] = summe;
  }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
