#include <lab.h>
#define T        32
#define NT       256
#define IN(r,c)  ((r) < N && (c) < N)
#define FOR(i,n) for (int i = 0; i < (n); i++)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[T*T], sb[T*T];
    int t = threadIdx.x;
    int tx = t & 31, ty = t >> 5;       // ty: 0..7
    int R = blockIdx.y*T, Q = blockIdx.x*T;
    float s[4];
    FOR(i,4) s[i] = 0;

    for (int k0 = 0; k0 < N; k0 += T) {
        FOR(i,4) {
            int y = ty + 8*i;
            sa[y*T+tx] = IN(R+y, k0+tx) ? A[(R+y)*N + k0+tx] : 0;
            sb[y*T+tx] = IN(k0+y, Q+tx) ? B[(k0+y)*N + Q+tx] : 0;
        }
        __syncthreads();
        FOR(k,T) {
            float b = sb[k*T+tx];
            FOR(i,4) s[i] += sa[(ty + 8*i)*T + k]*b;
        }
        __syncthreads();
    }

    FOR(i,4) if (IN(R+ty+8*i, Q+tx)) C[(R+ty+8*i)*N + Q+tx] = s[i];
}
LAUNCH(.block = {NT}, .tile = {T, T});
