// expect: ok
// The alternative tokens of C++: and, or, not, digraphs; an identifier split over two lines; text like old trigraphs.
#include <lab.h>

// What is this??/
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
<%
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    const char *text = "what??! is??( this??)";  // ??/
    if (not(row < N and col < N) or text<:0:> not_eq 'w')
        return;

    float su\
m = 0.0f;
    for (int k = 0; k not_eq N; ++k)
        sum += A<:row * N + k:> * B<:k * N + col:>;
    C<:row * N + col:> = sum;
%>

LAUNCH(.block = {16, 16}, .tile = {16, 16});
