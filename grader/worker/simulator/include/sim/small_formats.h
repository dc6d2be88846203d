// Two floating-point formats of 16 bits as bit patterns, rounded to nearest with ties to even as IEEE 754 says.
#pragma once

namespace sim {

// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits.
struct Binary16 {
    // Multiplying by 2^112 moves binary16's exponent bias of 15 to binary32's of 127, subnormal numbers included.
    static float widen_in_software(uint16_t half) {
        float magnitude = bits<float>((half & 0x7fffu) << 13) * 0x1p112f;
        uint32_t special = magnitude >= 65536.0f ? 0x7f800000u : 0;  // infinity and NaN keep an exponent of ones
        return bits<float>(bits<uint32_t>(magnitude) | special | (half & 0x8000u) << 16);
    }

    static uint16_t narrow_in_software(float x) {
        constexpr uint32_t infinity = 0x7f800000u, overflow = 0x47800000u, smallest_normal = 0x38800000u;
        uint32_t sign = bits<uint32_t>(x) >> 16 & 0x8000u, magnitude = bits<uint32_t>(x) & 0x7fffffffu;
        if (magnitude > infinity) return 0x7fff;
        if (magnitude >= overflow) return static_cast<uint16_t>(sign | 0x7c00u);
        if (magnitude < smallest_normal) {  // next to 0.5 a float's last place is 2^-24, that of a subnormal number
            float rounded = bits<float>(magnitude) + 0.5f;
            return static_cast<uint16_t>(sign | (bits<uint32_t>(rounded) - bits<uint32_t>(0.5f)));
        }
        magnitude += 0xfffu + (magnitude >> 13 & 1);
        return static_cast<uint16_t>(sign | (magnitude - (112u << 23)) >> 13);
    }

#if defined(__F16C__)
    // Not through _Float16, whose comparisons gcc would turn into calls of its library.
    using Halves = short __attribute__((vector_size(16)));
    using Floats = float __attribute__((vector_size(16)));
    static float widen(uint16_t half) { return __builtin_ia32_vcvtph2ps(Halves{static_cast<short>(half)})[0]; }
    static uint16_t narrow(float x) {
        constexpr int to_nearest = 0;
        return static_cast<uint16_t>(__builtin_ia32_vcvtps2ph(Floats{x}, to_nearest)[0]);
    }
#elif defined(__aarch64__)
    static float widen(uint16_t half) { return static_cast<float>(bits<__fp16>(half)); }
    static uint16_t narrow(float x) { return bits<uint16_t>(static_cast<__fp16>(x)); }
#else
    static float widen(uint16_t half) { return widen_in_software(half); }
    static uint16_t narrow(float x) { return narrow_in_software(x); }
#endif
};

// bfloat16: the upper half of a binary32.
struct Bfloat16 {
    static float widen(uint16_t upper) { return bits<float>(static_cast<uint32_t>(upper) << 16); }

    static uint16_t narrow(float x) {
        uint32_t pattern = bits<uint32_t>(x);
        if ((pattern & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
        return static_cast<uint16_t>((pattern + 0x7fffu + (pattern >> 16 & 1)) >> 16);
    }
};

// A double as a float that any later rounding to 22 bits or fewer treats as it would the double: towards zero, and the
// last bit set where that lost something ("round to odd"; Boldo and Melquiond, "Emulation of a FMA", 2008).
inline float round_to_odd(double x) {
    float nearest = static_cast<float>(x);
    uint32_t pattern = bits<uint32_t>(nearest);
    if (static_cast<double>(nearest) == x || x != x) return nearest;
    if (fabs(static_cast<double>(nearest)) > fabs(x)) --pattern;
    return bits<float>(pattern | 1u);
}

// a * b + c, where a * b is exact as a double; the last bit says whether the sum is. What two-sum finds is its error.
inline double fused_to_odd(double a, double b, double c) {
    double product = a * b, sum = product + c;
    double of_c = sum - product, error = (product - (sum - of_c)) + (c - of_c);
    uint64_t pattern = bits<uint64_t>(sum);
    if (!(error != 0.0) || !(fabs(sum) <= 1.7976931348623157e308)) return sum;
    if ((error < 0.0) != (sum < 0.0)) --pattern;
    return bits<double>(pattern | 1u);
}

}  // namespace sim
