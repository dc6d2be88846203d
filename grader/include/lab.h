// What a submission includes. It works under nvcc and under the simulator alike.
//
//     LAUNCH(.block = {16, 16}, .tile = {16, 16});
//
// says how the kernel above it is launched. It is data, checked by the compiler, so its values may use
// the submission's own macros and constants. The grader reads it out of the compiled image and launches
// ceil(columns of C / tile.x) by ceil(rows of C / tile.y) blocks.
#pragma once

// A submission may have macros of these names before it includes this file, and keeps them.
#pragma push_macro("LabGridX")
#pragma push_macro("COLUMNS")
#pragma push_macro("ROWS")
#pragma push_macro("block")
#pragma push_macro("tile")
#pragma push_macro("shared")
#pragma push_macro("grid_x")
#undef LabGridX
#undef COLUMNS
#undef ROWS
#undef block
#undef tile
#undef shared
#undef grid_x

// In a namespace that only LAUNCH opens, because a submission may have constants of these names too.
namespace __lab_names
{
enum LabGridX { COLUMNS = 0, ROWS = 1 };
}

struct __LabLaunch {
    unsigned block[3];  // threads per block along x, y, z; a missing entry counts as 1
    unsigned tile[2];   // columns and rows of C that one block computes; missing: as many as the block has threads
    unsigned shared;    // bytes of dynamic shared memory
    __lab_names::LabGridX grid_x;  // whether blockIdx.x selects the tile's COLUMNS (default) or its ROWS
};

#pragma pop_macro("LabGridX")
#pragma pop_macro("COLUMNS")
#pragma pop_macro("ROWS")
#pragma pop_macro("block")
#pragma pop_macro("tile")
#pragma pop_macro("shared")
#pragma pop_macro("grid_x")

// Not `const`, which would have internal linkage and be dropped. Without `extern "C"`, with which the host's part of a
// whole program looks for the name outside the namespace. LAUNCH stands behind the submission's macros, so it uses
// reserved identifiers only: C++ gives every other name to the submission. A number that is negative (68), has more than
// 32 bits (69) or is not an integer (2361) is an error here, and not a warning.
//
// __constant__ is a macro for an attribute with the name `constant`, which the submission may define. So LAUNCH takes
// that macro away, writes the attribute with underscores, and puts the macro back; twice, for a clear error where a
// second LAUNCH stands. NVRTC executes no _Pragma before it expands what follows, so the macro stays there.
#ifdef __CUDACC_RTC__
#define __LAB_CONSTANT __constant__
#else
#define __LAB_CONSTANT __attribute__((__constant__))
#pragma push_macro("__constant__")
#undef __constant__
#pragma push_macro("__constant__")
#define __constant__ __location__(constant)  // as in crt/host_defines.h
#pragma push_macro("__constant__")
#undef __constant__
#pragma push_macro("__constant__")
#define __constant__ __location__(constant)
#endif
#undef LAUNCH
#define LAUNCH(...)                                                                                              \
    _Pragma("pop_macro(\"__constant__\")") _Pragma("nv_diagnostic push")                                         \
        _Pragma("nv_diag_error 68,69,2361") namespace __lab_scope                                                \
    {                                                                                                            \
        using namespace ::__lab_names;                                                                           \
        __LAB_CONSTANT __attribute__((__used__)) __LabLaunch __lab_launch = {__VA_ARGS__};                       \
    }                                                                                                            \
    _Pragma("nv_diagnostic pop") _Pragma("pop_macro(\"__constant__\")") static_assert(sizeof(__LabLaunch) == 28, \
                                                                                      "the grader reads seven words")
