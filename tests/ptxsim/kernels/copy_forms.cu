// Lanes copy from A; every third lane's source is ignored.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float copied[32];
    const int lane = threadIdx.x;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&copied[lane]));
    copied[lane] = -1.0f;
    asm volatile("{ .reg .pred p; .reg .b64 policy;"
                 "createpolicy.fractional.L2::evict_last.b64 policy, 1.0; setp.eq.s32 p, %2, 0;"
                 "cp.async.ca.shared.global" FORM "; cp.async.wait_all; }" ::"r"(to),
                 "l"(A + lane), "r"(lane % 3)
                 : "memory");
    C[lane] = copied[lane];
}
