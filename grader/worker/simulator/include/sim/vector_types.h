// The built-in vector types with CUDA's alignments (CUDA C++ Programming Guide, "Built-in Vector Types").
#pragma once

// gcc checks the alignment of a struct when it is copied, clang only when a reference is bound to it: there, copying
// has to be a function. A default constructor that does nothing keeps shared arrays of vectors free of one.
#ifdef __clang__
#define SIM_COPIED2(T, NAME)                                                          \
    NAME() = default;                                                                 \
    constexpr NAME(T x_, T y_ = 0) : x(x_), y(y_) {}                                \
    constexpr NAME(const NAME &v) : x(v.x), y(v.y) {}                                 \
    constexpr NAME &operator=(const NAME &v) { x = v.x, y = v.y; return *this; }
#define SIM_COPIED4(T, NAME)                                                          \
    NAME() = default;                                                                 \
    constexpr NAME(T x_, T y_ = 0, T z_ = 0, T w_ = 0) : x(x_), y(y_), z(z_), w(w_) {} \
    constexpr NAME(const NAME &v) : x(v.x), y(v.y), z(v.z), w(v.w) {}                 \
    constexpr NAME &operator=(const NAME &v) { x = v.x, y = v.y, z = v.z, w = v.w; return *this; }
#else
#define SIM_COPIED2(T, NAME)
#define SIM_COPIED4(T, NAME)
#endif

#define SIM_VECTOR(T, NAME, ALIGN1, ALIGN2, ALIGN4)                                   \
    struct __attribute__((aligned(ALIGN1))) NAME##1 { T x; };                         \
    struct __attribute__((aligned(ALIGN2))) NAME##2 { T x, y; SIM_COPIED2(T, NAME##2) }; \
    struct __attribute__((aligned(ALIGN1))) NAME##3 { T x, y, z; };                   \
    struct __attribute__((aligned(ALIGN4))) NAME##4 { T x, y, z, w; SIM_COPIED4(T, NAME##4) }; \
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
#undef SIM_COPIED2
#undef SIM_COPIED4

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
