// The kernel's parameter types as data in the image, so that a wrong signature is a sentence and not a crash.
#pragma once

struct LabParameter {
    unsigned char kind;  // 'p' pointer, 'i' integer, 'r' real, '?' anything else
    unsigned char bytes;
};

template <class T> struct LabKind {
    static constexpr unsigned char value = T(0.5) == T(0) ? 'i' : 'r';
};
template <class T> struct LabKind<T *> {
    static constexpr unsigned char value = 'p';
};

template <class Kernel> struct LabSignature;
template <class... P> struct LabSignature<void (*)(P...)> {
    LabParameter parameters[sizeof...(P) + 1] = {{LabKind<P>::value, sizeof(P)}..., {0, 0}};
};

// Variadic, because the commas of a template's arguments separate arguments of a macro too.
#define LAB_SIGNATURE(...) \
    extern "C" __constant__ __attribute__((used)) LabSignature<decltype(&__VA_ARGS__)> lab_signature = {}
