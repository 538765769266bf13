"""What a figure was measured on."""

import os
import platform
import resource
from pathlib import Path


def describe_hardware() -> dict[str, str | int]:
    """Processor, cores that this process may use, memory (GiB), and its peak memory so far (MB)."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**30,
        "peak_mb_of_largest_process": max(_peak(who) for who in _PROCESSES) // 1024,
    }


_PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def _peak(who: int) -> int:
    return resource.getrusage(who).ru_maxrss


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
