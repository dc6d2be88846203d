// float4 de 4 retsu zutsu (N ga 4 no baisuu no toki dake vector, hoka wa scalar)
#include <lab.h>

#define TX 16
#define TY 16

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    const int gyou = blockIdx.y * TY + threadIdx.y;
    const int retsu = 4 * (blockIdx.x * TX + threadIdx.x);
    if (gyou >= N || retsu >= N) return;

    if (N % 4 == 0) {
        float4 wa = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int k = 0; k < N; k++) {
            const float a = A[gyou * N + k];
            const float4 b = *(const float4 *)(B + k * N + retsu);
            wa += a * b;
        }
        *(float4 *)(C + gyou * N + retsu) = wa;
        return;
    }

    for (int j = retsu; j < retsu + 4 && j < N; j++) {
        float s = 0.0f;
        for (int k = 0; k < N; k++)
            s += A[gyou * N + k] * B[k * N + j];
        C[gyou * N + j] = s;
    }
}

LAUNCH(.block = {TX, TY}, .tile = {4 * TX, TY});
