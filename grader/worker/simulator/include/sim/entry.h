// How the runtime calls the kernel of a submission: its parameters are described by their types.
#pragma once

#include <utility>

namespace sim {

enum class Kind { pointer, integer, real, other };

struct Parameter {
    Kind kind;
    int element;  // bytes of what a pointer points to
};

union Value {
    void *pointer;
    long long integer;
    double real;
};

struct Entry {
    void (*call)(const Value *);
    const Parameter *parameters;
    int count;
};

extern const Entry entry;

template <class T>
constexpr Parameter describe() {
    if constexpr (std::is_pointer_v<T>) {
        using Element = std::remove_pointer_t<T>;
        if constexpr (std::is_void_v<Element> || std::is_function_v<Element>) return {Kind::pointer, 1};
        else return {Kind::pointer, static_cast<int>(sizeof(Element))};
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        return {Kind::integer, 0};
    } else if constexpr (std::is_floating_point_v<T>) {
        return {Kind::real, 0};
    } else {
        return {Kind::other, 0};
    }
}

template <class T>
T convert(const Value &value) {
    constexpr Kind kind = describe<T>().kind;
    if constexpr (kind == Kind::pointer) return static_cast<T>(value.pointer);
    else if constexpr (kind == Kind::integer) return static_cast<T>(value.integer);
    else if constexpr (kind == Kind::real) return static_cast<T>(value.real);
    else return T{};
}

template <auto kernel>
struct Caller;

template <class... P, void (*kernel)(P...)>
struct Caller<kernel> {
    static constexpr Parameter parameters[sizeof...(P) + 1] = {describe<std::decay_t<P>>()...};

    static void call(const Value *values) { spread(values, std::index_sequence_for<P...>{}); }

    template <size_t... I>
    static void spread([[maybe_unused]] const Value *values, std::index_sequence<I...>) {
        kernel(convert<std::decay_t<P>>(values[I])...);
    }

    static constexpr Entry entry = {call, parameters, sizeof...(P)};
};

}  // namespace sim

#define SIM_ENTRY(...) const sim::Entry sim::entry = sim::Caller<__VA_ARGS__>::entry
