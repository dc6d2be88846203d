#include <lab.h>

#define RAZMER 16

// umnozhenie matric, razdelyaemaya pamyat'
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float plitkaA[RAZMER][RAZMER];
    __shared__ float plitkaB[RAZMER][RAZMER];

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int stroka  = blockIdx.y * RAZMER + y;
    const int stolbec = blockIdx.x * RAZMER + x;

    float summa = 0.0f;
    int sdvig = 0;
    do {
        plitkaA[y][x] = (stroka < N && sdvig + x < N) ? A[stroka * N + sdvig + x] : 0.0f;
        plitkaB[y][x] = (stolbec < N && sdvig + y < N) ? B[(sdvig + y) * N + stolbec] : 0.0f;
        __syncthreads();

        for (int k = 0; k < RAZMER; ++k)
            summa += plitkaA[y][k] * plitkaB[k][x];
        __syncthreads();

        sdvig += RAZMER;
    } while (sdvig < N);

    if (stroka < N && stolbec < N)
        C[stroka * N + stolbec] = summa;
}

#ifdef PROVERKA
#include <cstdio>

int main()
{
    for (int n = 1; n <= 70; ++n) {
        float *a, *b, *c;
        cudaMallocManaged(&a, n * n * sizeof(float));
        cudaMallocManaged(&b, n * n * sizeof(float));
        cudaMallocManaged(&c, n * n * sizeof(float));
        for (int i = 0; i < n * n; ++i) { a[i] = i % 3; b[i] = i % 4; }

        int plitok = (n + RAZMER - 1) / RAZMER;
        matmul<<<dim3(plitok, plitok), dim3(RAZMER, RAZMER)>>>(a, b, c, n);
        cudaDeviceSynchronize();

        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                float ozhidaemo = 0;
                for (int k = 0; k < n; ++k) ozhidaemo += a[i * n + k] * b[k * n + j];
                if (c[i * n + j] != ozhidaemo) printf("n = %d: oshibka v (%d, %d)\n", n, i, j);
            }
        cudaFree(a);
        cudaFree(b);
        cudaFree(c);
    }
}
#endif

LAUNCH(.block = {RAZMER, RAZMER}, .tile = {RAZMER, RAZMER});
