#include "signals.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdlib>

#include "buffers.h"
#include "fault.h"
#include "launch.h"

namespace sim {

double stuck_seconds = 0;

namespace {

long long program_counter(const ucontext_t *context) {
#if defined(__x86_64__)
    return static_cast<long long>(context->uc_mcontext.gregs[REG_RIP]);
#else
    return static_cast<long long>(context->uc_mcontext.pc);
#endif
}

// 1 for a write, 0 for a read, -1 if the kernel does not say.
int is_write(const ucontext_t *context) {
#if defined(__x86_64__)
    // Intel SDM volume 3, 4.7: bit 1 of the page-fault error code.
    return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    const unsigned esr_magic = 0x45535201;  // linux/arch/arm64/include/uapi/asm/sigcontext.h
    auto record = reinterpret_cast<const unsigned *>(context->uc_mcontext.__reserved);
    while (record[0] != 0 && record[1] != 0) {
        if (record[0] == esr_magic) return (*reinterpret_cast<const uint64_t *>(record + 2) & 64) != 0;
        record += record[1] / sizeof(unsigned);
    }
    return -1;
#endif
}

int element_of(int buffer) {
    const Job &job = *current_job;
    for (int i = 0; i < job.argument_count && i < entry.count; ++i) {
        if (job.arguments[i].kind == 'b' && job.arguments[i].buffer == buffer) return entry.parameters[i].element;
    }
    return 1;
}

void add_buffer(Report &report, const char *address) {
    static const char *const names[buffer_count] = {"A", "B", "C"};
    for (int i = 0; i < buffer_count; ++i) {
        const Buffer &buffer = buffers[i];
        if (address < buffer.reserved || address >= buffer.reserved + buffer.reserved_bytes) continue;
        report.text("buffer", names[i]).number("offset", address - buffer.data);
        report.number("bytes", static_cast<long long>(buffer.bytes)).number("element", element_of(i));
    }
}

void on_fault(int signal, siginfo_t *info, void *raw) {
    auto context = static_cast<const ucontext_t *>(raw);
    bool memory = signal == SIGSEGV || signal == SIGBUS;
    bool stack = memory && block && block->in_guard(info->si_addr);
    const char *kind = stack ? "stack" : memory ? "memory" : signal == SIGFPE ? "divide" : "illegal";
    if (signal == SIGSYS) kind = "system-call";
    Report report(kind);
    report.number("pc", program_counter(context)).here();
    if (signal == SIGSYS) report.number("number", info->si_syscall);
    if (memory && !stack) {
        report.number("wild", info->si_code == SI_KERNEL);  // no page fault: not an address at all
        report.number("address", static_cast<long long>(reinterpret_cast<intptr_t>(info->si_addr)));
        report.number("write", is_write(context));
        add_buffer(report, static_cast<const char *>(info->si_addr));
    }
    report.submit();
}

void on_late(int, siginfo_t *, void *raw) {
    Report report("time");
    report.number("pc", program_counter(static_cast<const ucontext_t *>(raw))).here();
    report.number("stuck_ms", static_cast<long long>(stuck_seconds * 1000));
    report.number("threads", block->size()).number("waiting", block->waiting()).number("line0", block->waiting_line());
    report.submit();
}

}  // namespace

void install_handlers() {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigaction(signal, &action, nullptr);
    action.sa_sigaction = on_late;
    sigaction(SIGUSR1, &action, nullptr);
}

void use_signal_stack() {
    constexpr size_t bytes = 64 << 10;
    stack_t stack{};
    stack.ss_size = bytes;
    stack.ss_sp = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&stack, nullptr);
}

}  // namespace sim
