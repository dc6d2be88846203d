// The built-in vector types with CUDA's alignments (CUDA C++ Programming Guide, "Built-in Vector Types").
#pragma once

#define SIM_VECTOR(T, NAME, ALIGN1, ALIGN2, ALIGN4)                                   \
    struct __attribute__((aligned(ALIGN1))) NAME##1 { T x; };                         \
    struct __attribute__((aligned(ALIGN2))) NAME##2 { T x, y; };                      \
    struct __attribute__((aligned(ALIGN1))) NAME##3 { T x, y, z; };                   \
    struct __attribute__((aligned(ALIGN4))) NAME##4 { T x, y, z, w; };                \
    inline NAME##1 make_##NAME##1(T x) { return {x}; }                                \
    inline NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                        \
    inline NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }                \
    inline NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }

SIM_VECTOR(signed char, char, 1, 2, 4)
SIM_VECTOR(unsigned char, uchar, 1, 2, 4)
SIM_VECTOR(short, short, 2, 4, 8)
SIM_VECTOR(unsigned short, ushort, 2, 4, 8)
SIM_VECTOR(int, int, 4, 8, 16)
SIM_VECTOR(unsigned int, uint, 4, 8, 16)
SIM_VECTOR(long, long, 8, 16, 16)
SIM_VECTOR(unsigned long, ulong, 8, 16, 16)
SIM_VECTOR(long long, longlong, 8, 16, 16)
SIM_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
SIM_VECTOR(float, float, 4, 8, 16)
SIM_VECTOR(double, double, 8, 16, 16)

#undef SIM_VECTOR

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
