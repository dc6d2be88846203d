"""Words that many lines have in common."""

INTEGER = "u16|u32|u64|s16|s32|s64"
ANY_INTEGER = f"u8|s8|{INTEGER}"
BITS = "b16|b32|b64"
ROUNDING = "rn|rz|rm|rp"
TO_INTEGER = "rni|rzi|rmi|rpi"
SHORT = "f16|bf16|f16x2|bf16x2"  # floating-point numbers of 16 bits, and pairs
SCOPE = "[cta|cluster|gpu|sys]"
SHARED = "shared|shared::cta"
# No cache is simulated, so that these words change nothing.
CACHE = (
    "[L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate] "
    "[L2::evict_normal|L2::evict_first|L2::evict_last] [L2::cache_hint] [L2::64B|L2::128B|L2::256B]"
)
