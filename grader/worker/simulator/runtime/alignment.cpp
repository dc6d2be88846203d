// Called by the checks that -fsanitize=alignment adds to a submission, in place of the compiler's own library.
#include <cstdint>
#include <cstring>

#include "fault.h"

// The layouts are those of compiler-rt/lib/ubsan/ubsan_handlers.h, which gcc shares.
extern "C" {

struct SimSourceLocation {
    const char *file;
    uint32_t line;
    uint32_t column;
};

struct SimTypeMismatch {
    SimSourceLocation where;
    const void *type;
    unsigned char log_alignment;
    unsigned char check;
};

[[noreturn]] void __ubsan_handle_type_mismatch_v1_abort(const SimTypeMismatch *data, uintptr_t address);

void __ubsan_handle_type_mismatch_v1_abort(const SimTypeMismatch *data, uintptr_t address) {
    sim::Report report("misaligned");
    report.here().number("alignment", 1ll << data->log_alignment).number("address", static_cast<long long>(address));
    if (strstr(data->where.file, "submission.cu")) report.number("line0", data->where.line);
    else report.number("pc", reinterpret_cast<intptr_t>(__builtin_return_address(0)) - 1);
    report.submit();
}
}
