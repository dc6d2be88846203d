"""Published figures of GPUs for which advice is given. Pure.

Numbers of units and clocks: NVIDIA's whitepapers on the architectures (Volta, Turing, Ampere, Ada, Hopper) and data
sheets. Limits of a multiprocessor and instructions per clock: CUDA C++ Programming Guide, "Compute Capabilities" and
"Arithmetic Instructions". Latencies, L2 bandwidth and bytes per clock of L1 and shared memory: Jia et al., "Dissecting
the NVIDIA Volta GPU architecture" (2018) and "... Turing T4" (2019); Luo et al., "Benchmarking and dissecting the
Nvidia Hopper GPU architecture" (2024). L2 of A100, H100 and H200: 5120 bytes per clock (NVIDIA A100 whitepaper);
Nsight Compute gives the same for an H200, with 61 % of the peak at 6.2 TB/s.

Doubles have half the rate of single precision on V100, A100, H100 and H200, 1/32 on T4 and 1/64 on RTX 4090.
Halves: "Arithmetic Instructions" gives 128 results per clock for compute capabilities 7.x, 8.6 and 8.9, 256 for 8.0 and
9.0, two of them for each instruction on half2. Tensor cores, dense, with sums in float: 64 multiply-adds of halves a
clock for each of 8 (whitepapers on Volta and Turing), 256 for each of 4 (A100), 512 for each of 4 (H100), and 165.2
TFLOPS for an RTX 4090 (whitepaper on Ada; 330.3 with sums in half). TF32 has half the rate. H100 and H200 reach it
only with wgmma, which multiplies from shared memory; mma.sync, which wmma becomes, is slower.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from grader.contract.launch_limits import Multiprocessor
from grader.model import Machine

KIB = 1024
REGISTERS = 65536


@dataclass(frozen=True, slots=True)
class GpuFigures:
    """A GPU: rates for each multiprocessor and clock cycle, bandwidths in GB/s, latencies in cycles."""

    name: str
    multiprocessors: int
    ghz: float
    lanes: int
    """Multiply-adds in single precision."""
    double_lanes: int
    """Instructions in double precision."""
    conversions: int
    """Conversions from and to double precision."""
    wavefronts: float
    """Wavefronts of shared memory and of L1, which share one data path."""
    l2: float
    """Reads from L2."""
    memory: float
    limits: Multiprocessor
    l1_cycles: int
    l2_cycles: int
    shared_cycles: int
    half_lanes: int
    """Instructions on one half or two."""
    tensor: Mapping[str, int]
    """Multiply-adds of tensor cores, by what they multiply: f16, bf16 or tf32, or f16 with sums in f16."""


def _since_ampere(warps: int, blocks: int, shared_kib: int) -> Multiprocessor:
    return Multiprocessor(warps * 32, blocks, REGISTERS, shared_kib * KIB, KIB, 128)


def _before_ampere(warps: int, blocks: int, shared_kib: int) -> Multiprocessor:
    return Multiprocessor(warps * 32, blocks, REGISTERS, shared_kib * KIB, 0, 256)


def _tensor(f16: int, *, sums: int = 1, others: bool = True) -> Mapping[str, int]:
    """Return the rates of tensor cores, which are `sums` times as high if the sums are halves too."""
    rates = {"f16": f16, "f16 sums": sums * f16}
    return MappingProxyType(rates | {"bf16": f16, "tf32": f16 // 2} if others else rates)


_HOPPER, _AMPERE = _since_ampere(64, 32, 228), _since_ampere(64, 32, 164)
_HALVES = _tensor(2048)
GPUS = {
    "h200": GpuFigures("NVIDIA H200", 132, 1.98, 128, 64, 16, 1, 10100, 4800, _HOPPER, 41, 263, 29, 128, _HALVES),
    "h100": GpuFigures("NVIDIA H100", 132, 1.98, 128, 64, 16, 1, 10100, 3350, _HOPPER, 41, 263, 29, 128, _HALVES),
    "a100": GpuFigures("NVIDIA A100", 108, 1.41, 64, 32, 16, 1, 7200, 1555, _AMPERE, 38, 262, 29, 128, _tensor(1024)),
    "v100": GpuFigures(
        "Tesla V100", 80, 1.53, 64, 32, 16, 1, 2155, 900, _before_ampere(64, 32, 96), 28, 193, 19, 64,
        _tensor(512, others=False),
    ),
    "t4": GpuFigures(
        "Tesla T4", 40, 1.59, 64, 2, 2, 0.5, 1270, 320, _before_ampere(32, 16, 64), 32, 188, 19, 64,
        _tensor(512, others=False),
    ),
    "rtx4090": GpuFigures(
        "NVIDIA RTX 4090", 128, 2.52, 128, 2, 2, 1, 5000, 1008, _since_ampere(48, 24, 100), 43, 273, 30, 64,
        _tensor(256, sums=2),
    ),
}  # fmt: skip
DEFAULT = "h200"


def of_machine(machine: Machine) -> GpuFigures | None:
    """Return the figures of a machine's GPU, by its name; None where they are not known."""
    return next((gpu for key, gpu in GPUS.items() if key in machine.device.lower().replace(" ", "")), None)
