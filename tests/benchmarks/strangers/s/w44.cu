#include <lab.h>
// Askisi 3: kathe nima ypologizei 4 stiles.
#define NX 16
#define NY 16
#define STILES 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int grammi = blockIdx.y * NY + threadIdx.y;
    const int arxi   = blockIdx.x * NX * STILES;
    float apot[STILES];
    int s;

    for (s = 0; s < STILES; ++s)
        apot[s] = 0.0f;

    if (grammi < N)
    {
        for (int k = 0; k < N; ++k)
        {
            const float a = A[grammi * N + k];
            for (s = 0; s < STILES; ++s)
            {
                const int stili = arxi + threadIdx.x + s * NX;
                if (stili < N)
                    apot[s] += a * B[k * N + stili];
            }
        }

        for (s = 0; s < STILES; ++s)
        {
            const int stili = arxi + threadIdx.x * STILES + s;
            if (stili < N)
                C[grammi * N + stili] = apot[s];
        }
    }
}

LAUNCH(.block = {NX, NY}, .tile = {NX * STILES, NY});
