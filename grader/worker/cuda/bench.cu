// The trusted kernels around the timed launches: a gate, fresh contents, and projections of the results.

// Holds the stream until the host has queued everything behind it, so that launches run back to back.
// It gives up after two seconds of the device's own clock: a host that died must not block the device.
extern "C" __global__ void gate(const volatile unsigned *open)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (!*open && now - start < 2000000000ull);
}

// What memory sustains: every thread moves 16 bytes, neighbours side by side, as STREAM's copy does on a processor.
extern "C" __global__ void copy(const float4 *__restrict__ from, float4 *__restrict__ to, size_t count)
{
    const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
    if (i < count)
        to[i] = from[i];
}

template <class T> __device__ T negative(T value) { return -value; }
__device__ unsigned short negative(unsigned short bfloat16) { return bfloat16 ^ 0x8000; }

// Each line, and each position in all lines, is one of the base, whose number counts from 1 and has the sign.
template <class T>
__device__ void freshen(const T *base, T *target, const int *from_lines, const int *from_positions, int lines,
                        int length, int stride)
{
    for (int line = blockIdx.y; line < lines; line += gridDim.y)
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
            const int from_line = from_lines[line], from_position = from_positions[i];
            const T value = base[(abs(from_line) - 1) * static_cast<size_t>(stride) + abs(from_position) - 1];
            target[line * static_cast<size_t>(stride) + i] = (from_line ^ from_position) < 0 ? negative(value) : value;
        }
}

#define FRESHEN(name, T)                                                                                        \
    extern "C" __global__ void name(const T *base, T *target, const int *from_lines, const int *from_positions, \
                                    int lines, int length, int stride)                                          \
    {                                                                                                           \
        freshen(base, target, from_lines, from_positions, lines, length, stride);                               \
    }

// result[row] = sum over columns of C[row][column] * x[column], one warp a row; C is given by two strides, so that
// it may lie in rows or in columns. Exact for integer contents: every partial sum stays below 2^53.
template <class T>
__device__ void project(const T *C, const double *x, double *result, int rows, int columns, long long row_stride,
                        long long column_stride)
{
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows)
        return;
    double sum = 0;
    for (int column = threadIdx.x % 32; column < columns; column += 32)
        sum += static_cast<double>(C[row * row_stride + column * column_stride]) * x[column];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0)
        result[row] = sum;
}

#define PROJECT(name, T)                                                                                \
    extern "C" __global__ void name(const T *C, const double *x, double *result, int rows, int columns, \
                                    long long row_stride, long long column_stride)                      \
    {                                                                                                   \
        project(C, x, result, rows, columns, row_stride, column_stride);                                \
    }

#include <cuda_fp16.h>

FRESHEN(freshen_float16, __half)
FRESHEN(freshen_float32, float)
FRESHEN(freshen_float64, double)
FRESHEN(freshen_uint16, unsigned short)
FRESHEN(freshen_int8, signed char)
FRESHEN(freshen_int32, int)
PROJECT(project_float16, __half)
PROJECT(project_float32, float)
PROJECT(project_float64, double)
PROJECT(project_int32, int)
