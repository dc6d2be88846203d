#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Each name once, on values that are exact.
__device__ bool halves() {
    half one = 1.0f, two = 2, third;
    third = 1.0 / 3;
    float wide = two;
    bool right = wide == 2.0f && int(two) == 2 && __half2float(third) == 0x1.554p-2f && one < two && !(one > two);
    one += two;
    ++one;
    right &= one == __float2half(4.0f) && -one == half(-4) && __half2int_rz(one) == 4 && __int2half_rn(4) == one;
    right &= __hisnan(__ushort_as_half(0x7e00)) && __hisinf(__ushort_as_half(0xfc00)) == -1 && one && !half(0.0f);
    right &= __hfma_relu(one, half(-1), two) == half(0) && __hadd_sat(one, two) == half(1) && hrcp(two) == half(0.5f);
    return right;
}

__device__ bool pairs() {
    half2 pair = __floats2half2_rn(1.0f, 2.0f), twice = pair + pair;
    float2 wide = __half22float2(twice);
    bool right = sizeof(half2) == 4 && alignof(half2) == 4 && wide.x == 2.0f && wide.y == 4.0f;
    right &= __low2float(__lowhigh2highlow(pair)) == 2.0f && __high2float(__half2half2(half(3))) == 3.0f;
    right &= __hbeq2(__hmul2(pair, __float2half2_rn(2.0f)), twice) && __hbgt2(twice, pair) && pair.x == half(1);
    right &= __hbeq2(__hlt2(pair, make_half2(2, 2)), make_half2(1, 0)) && twice != pair;
    return right;
}

__device__ bool bfloats() {
    __nv_bfloat16 three = __float2bfloat16(3.0f);
    __nv_bfloat162 pair = __floats2bfloat162_rn(1.0f, 2.0f);
    bool right = __bfloat162float(three * three) == 9.0f && __bfloat162float(__hfma(three, three, three)) == 12.0f;
    return right & (__low2float(pair + pair) == 2.0f) & (__bfloat1622float2(pair).y == 2.0f);
}

extern "C" __global__ void matmul(const float *, const float *, float *C, int N) {
    __shared__ half sum;
    if (threadIdx.x == 0) sum = 0.0f;
    __syncthreads();
    atomicAdd(&sum, half(2.0f));
    __syncthreads();
    half own = half(threadIdx.x), first = __shfl_sync(0xffffffffu, own, 5);
    bool right = halves() && pairs() && bfloats() && sum == half(64.0f) && first == half(5);
    if (threadIdx.x < N) C[threadIdx.x] = right ? 1.0f : 0.0f;
}
