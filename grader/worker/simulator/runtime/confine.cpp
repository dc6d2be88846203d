#include "confine.h"

#include <sys/resource.h>
#include <unistd.h>

#include "fault.h"

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace sim {

namespace {

// The clock stops a kernel first. This holds even when nobody is left to look at it.
constexpr double grace_seconds = 2;

rlim_t processor_seconds(double seconds) {
    auto cores = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
    return static_cast<rlim_t>((seconds + grace_seconds) * cores + 1);
}

void limit(__rlimit_resource_t resource, rlim_t most) {
    rlimit value{most, most};
    setrlimit(resource, &value);
}

#ifdef __linux__

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#else
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#endif

constexpr unsigned number_at = offsetof(seccomp_data, nr);
constexpr unsigned architecture_at = offsetof(seccomp_data, arch);
constexpr unsigned argument_at(unsigned i) { return static_cast<unsigned>(offsetof(seccomp_data, args)) + 8 * i; }

#define SIM_LOAD_WORD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define SIM_ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define SIM_ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), SIM_ANSWER(SECCOMP_RET_ALLOW)
// Allowed if the argument is `value`.
#define SIM_ALLOW_EQUAL(name, argument, value)                     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4),         \
        SIM_LOAD_WORD(argument_at(argument)),                      \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0),          \
        SIM_ANSWER(SECCOMP_RET_TRAP), SIM_ANSWER(SECCOMP_RET_ALLOW)
// Allowed if no bit of `bits` is set in the argument.
#define SIM_ALLOW_WITHOUT(name, argument, bits)                    \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4),         \
        SIM_LOAD_WORD(argument_at(argument)),                      \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),          \
        SIM_ANSWER(SECCOMP_RET_TRAP), SIM_ANSWER(SECCOMP_RET_ALLOW)
// Allowed if the argument has the bit: clone is for threads only.
#define SIM_ALLOW_WITH(name, argument, bit)                        \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4),         \
        SIM_LOAD_WORD(argument_at(argument)),                      \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 1, 0),           \
        SIM_ANSWER(SECCOMP_RET_TRAP), SIM_ANSWER(SECCOMP_RET_ALLOW)

void filter_system_calls() {
    auto self = static_cast<unsigned>(getpid());
    sock_filter program[] = {
        SIM_LOAD_WORD(architecture_at),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
        SIM_ANSWER(SECCOMP_RET_KILL_PROCESS),
        SIM_LOAD_WORD(number_at),
        SIM_ALLOW(futex),
        SIM_ALLOW(nanosleep),
        SIM_ALLOW(clock_nanosleep),
        SIM_ALLOW(clock_gettime),
        SIM_ALLOW(exit),
        SIM_ALLOW(exit_group),
        SIM_ALLOW(write),
        SIM_ALLOW(fstat),  // the C library, before the first byte is printed
        SIM_ALLOW(newfstatat),
        SIM_ALLOW(munmap),
        SIM_ALLOW(madvise),
        SIM_ALLOW(brk),
        SIM_ALLOW(rt_sigaction),
        SIM_ALLOW(rt_sigprocmask),
        SIM_ALLOW(rt_sigreturn),
        SIM_ALLOW(sigaltstack),
        SIM_ALLOW(set_robust_list),
        SIM_ALLOW(rseq),
        SIM_ALLOW(sched_yield),
        SIM_ALLOW(sched_getaffinity),
        SIM_ALLOW(getpid),
        SIM_ALLOW(gettid),
        SIM_ALLOW(getrandom),  // seeds malloc
        SIM_ALLOW_EQUAL(tgkill, 0, self),  // the watchdog's signal
        SIM_LOAD_WORD(number_at),
        SIM_ALLOW_WITH(clone, 0, CLONE_THREAD),
        SIM_LOAD_WORD(number_at),
        SIM_ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
        SIM_LOAD_WORD(number_at),
        SIM_ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        SIM_LOAD_WORD(number_at),
        // The C library falls back to clone, whose flags a filter can read.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        SIM_ANSWER(SECCOMP_RET_ERRNO | 38),  // ENOSYS
        SIM_ANSWER(SECCOMP_RET_TRAP),
    };
    sock_fprog filter{sizeof program / sizeof program[0], program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) Report("unconfined").submit();
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) Report("unconfined").submit();
}

#endif

}  // namespace

void confine(double seconds) {
    limit(RLIMIT_CPU, processor_seconds(seconds));
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 0);  // what is open stays open
#ifdef __linux__
    filter_system_calls();
#endif
}

}  // namespace sim
