// Included before a submission in which `tiles.a[i][j]` is written as `__lab_array<452>(tiles.a)[i][j]`. The number says
// which use it is (7), how many subscripts it has (the next 5 bits: 2), and whether it may be the end of a loop (the last
// bit: no). It is one number, because a comma would end the argument of a macro.
//
// The subscripts of an array give the same element as before if it lies inside. Otherwise they give an address that no
// memory has, so that an access to it ends the launch. It says which of the uses it is (bits 44 to 55), how many
// elements the array has (bits 28 to 43), which one is meant (bits 8 to 27), and leaves room for 256 bytes. Elements with
// more bytes have addresses of another kind (bits 32 to 43, 20 to 31, and room for a mebibyte). If __lab_suspect is such
// an address, and not 1, all other elements are the same as before wherever they lie.
#pragma once

template <class __Type>
struct __LabArray {
    using __Element = __Type;
    static constexpr unsigned __rank = 0;
    static constexpr long long __count = 1;
    __host__ __device__ static constexpr __Type *__first(__Type &__element) noexcept
    {
        return __builtin_addressof(__element);
    }
};

template <class __Type, unsigned long long __parts>
struct __LabArray<__Type[__parts]> {
    using __Part = __LabArray<__Type>;
    using __Element = typename __Part::__Element;
    static constexpr unsigned __rank = __Part::__rank + 1;
    static constexpr long long __count = __Part::__count * static_cast<long long>(__parts);
    __host__ __device__ static constexpr __Element *__first(__Type (&__array)[__parts]) noexcept
    {
        return __Part::__first(__array[0]);
    }
};

__device__ volatile long long __lab_suspect = 1;

__forceinline__ __host__ __device__ bool __lab_is_suspect(long long __address) noexcept
{
#ifdef __CUDA_ARCH__
    const long long __suspect = __lab_suspect;
    return __suspect == 1 || __suspect == __address;
#else
    return __address == 0;
#endif
}

template <unsigned __use>
__forceinline__ __host__ __device__ constexpr long long __lab_address(long long __index, long long __count,
                                                                      bool __is_large) noexcept
{
    const int __bits = __is_large ? 12 : 20, __room = __is_large ? 20 : 8, __count_at = __is_large ? 32 : 28;
    const long long __most = (1 << (__bits - 1)) - 1, __mark = __is_large ? 0x6d : 0x6c;
    const long long __shown = __index < -__most ? -__most : __index > __most ? __most : __index;
    const long long __known = __count < 1LL << (44 - __count_at) ? __count : 0;
    return __mark << 56 | static_cast<long long>(__use) << 44 | __known << __count_at |
           (__shown & ((1 << __bits) - 1)) << __room;
}

template <unsigned __use, bool __may_end, class __Element>
__forceinline__ __host__ __device__ constexpr __Element &__lab_element(__Element *__first, long long __index,
                                                                       long long __count) noexcept
{
#ifdef __CUDA_ARCH__
    const bool __is_end = __may_end && __index == __count;
    if (!__builtin_is_constant_evaluated() && (__index < 0 || __index >= __count) && !__is_end) {
        const long long __address = __lab_address<__use>(__index, __count, sizeof(__Element) > 256);
        if (__lab_is_suspect(__address))
            return *reinterpret_cast<__Element *>(__address);
    }
#endif
    return __first[__index];
}

template <unsigned __use, bool __may_end, class __Part>
struct __LabRow {
    typename __LabArray<__Part>::__Element *__first;
    long long __start, __count;
    __forceinline__ __host__ __device__ constexpr decltype(auto) operator[](long long __number) const noexcept
    {
        const long long __index = __start + __number * __LabArray<__Part>::__count;
        if constexpr (__LabArray<__Part>::__rank == 0)
            return __lab_element<__use, __may_end>(__first, __index, __count);
        else
            return __row(__first, __index, static_cast<__Part *>(nullptr));
    }
    template <class __Inner, unsigned long long __parts>
    __forceinline__ __host__ __device__ constexpr auto __row(typename __LabArray<__Part>::__Element *__begin,
                                                             long long __index, __Inner (*)[__parts]) const noexcept
    {
        return __LabRow<__use, __may_end, __Inner>{__begin, __index, __count};
    }
};

// A row of an array with more dimensions is left as it is, and an array of one element, which is often used as one of any
// size at the end of a struct.
template <unsigned __use, class __Part, unsigned long long __parts>
__forceinline__ __host__ __device__ constexpr decltype(auto) __lab_array(__Part (&__array)[__parts]) noexcept
{
    using __Array = __LabArray<__Part[__parts]>;
    if constexpr ((__use >> 1 & 31) < __Array::__rank || __Array::__count == 1)
        return (__array);
    else
        return __LabRow<(__use >> 6), (__use & 1) != 0, __Part>{__Array::__first(__array), 0, __Array::__count};
}

// Pointers, and classes with an operator of their own.
template <unsigned __use, class __Other>
__forceinline__ __host__ __device__ constexpr __Other &&__lab_array(__Other &&__other) noexcept
{
    return static_cast<__Other &&>(__other);
}
