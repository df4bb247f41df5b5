"""Facts of devices: what the system and the drivers tell of them, and the bandwidth that a copy reaches."""
import glob
import os
import re

from machine import first_value, said
from page import is_number
from tables import Table, to_number


def number_in(path, unit=1):
    try:
        with open(path, encoding="utf-8") as file:
            return float(re.sub("[^0-9.]", "", file.read())) / unit
    except (OSError, ValueError):
        return None


def host_facts():
    """Clock, cores, caches of the processor, as the system tells."""
    caches = {}
    for folder in glob.glob("/sys/devices/system/cpu/cpu0/cache/index*"):
        level, kind = (first_line(os.path.join(folder, name)) for name in ("level", "type"))
        if kind != "Instruction":
            caches["L" + level] = first_line(os.path.join(folder, "size"))
    top = number_in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", 1000)
    clock = top or to_number(first_value("/proc/cpuinfo", "cpu MHz"))
    return clock, ", ".join(f"{level} {size}" for level, size in sorted(caches.items()))


def first_line(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.readline().strip()
    except OSError:
        return ""


def copy_rates(here):
    """{device label: GB/s read and written by a copy} from bench_exec, and why there are none."""
    executable = here.runner.bench("bench_exec")
    if not executable:
        return {}, "bench_exec is not built (`make bench`)"
    rates, why = {}, ""
    for device in here.machine.measured:
        run = here.runner.run(
            f"exec-copy-{device.label}",
            [executable, f"--benchmark_filter=^copy_kernel/{here.sizes.copy_bytes}/", "--benchmark_format=json",
             f"--benchmark_min_time={here.sizes.bench_seconds}"],
            env={"PHPC_BENCH_DEVICE": device.label})
        for row in run.rows():
            rates[device.label] = row["bytes_per_second"] / 1e9
        why = why or run.why
    return rates, why


def devices_table(item, here):
    """What drivers tell of the devices, and the bandwidth that a copy reaches; for this work and the batched solvers."""
    rates, why = copy_rates(here)
    table = Table(["device", "clock_MHz", "cores_or_units", "memory_GiB", "caches", "scratch_KiB_per_team", "copy_GB_per_s"])
    for device in here.machine.measured:
        row = device.row
        clock, caches = host_facts() if device.is_host else gpu_facts(device)
        table.add(device.shown, clock, row["compute_units"], round(row["memory_bytes"] / 2**30, 1), caches or "not told",
                  row["scratch_bytes_per_team"] // 1024, rates.get(device.label))
    item.table(table, caption="Copy: bytes read and written by this program's copy kernel")
    if why:
        item.missing(f"No bandwidth: {why}.")
    if not here.machine.gpus:
        item.missing("No GPU here: the host alone.")
    return rates


def gpu_facts(device):
    """Clock and caches of a GPU, as nvidia-smi tells; it says [N/A] of what a GPU, or a part of one, does not tell."""
    said_of = said("nvidia-smi", "--query-gpu=name,clocks.max.sm,clocks.max.memory", "--format=csv,noheader,nounits")
    for line in said_of.split("\n"):
        name, *clocks = [word.strip() for word in line.split(",")]
        if clocks and name == device.name:
            clock, memory = ([float(clock) if is_number(clock) else None for clock in clocks] + [None])[:2]
            return clock, "not told by the driver" + ("" if memory is None else f"; memory clock {memory:g} MHz")
    return None, ""
