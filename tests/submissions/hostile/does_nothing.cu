// expect: wrong-answer
// The fastest kernel of all, in the hope that C still holds the right answer of an earlier launch.
#include <lab.h>

extern "C" __global__ void matmul(const float *, const float *, float *, int)
{
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
