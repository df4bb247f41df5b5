"""What the machine is: processor, memory, devices, versions, and which programs and libraries of others are here to compare
with."""
import ctypes
import ctypes.util
import glob
import os
import platform
import shutil
import subprocess
from html import escape


class Device:
    """A device as `portable-hpc devices` shows it; `label` is what --device takes."""

    def __init__(self, row):
        self.label = str(row["device"])
        self.kind = row["kind"]
        self.name = row["name"]
        self.row = row

    @property
    def is_host(self):
        return self.kind == "host"

    @property
    def is_gpu(self):
        return self.kind not in ("host", "x86_64")

    @property
    def shown(self):
        """A name for pictures: short, and the same in every run."""
        if self.is_host:
            return f"host ({self.name})"
        return f"{self.name} ({self.label})" if self.is_gpu else "x86_64 offload"


class Machine:
    """Facts, each found once and kept in OUT/raw/machine.json for the numbers that were measured then. What cannot be found is
    "" or an empty list."""

    def __init__(self, runner, labels=None):
        """`labels`: of the devices to be measured on; None = all."""
        self.processor = first_value("/proc/cpuinfo", "model name") or platform.processor()
        self.threads = len(os.sched_getaffinity(0))
        gpus = [device.name for device in map(Device, runner.look("devices", "--format", "json").rows()) if device.is_gpu]
        runner.machine = ", ".join([self.processor, f"{self.threads} threads", *gpus])
        facts = runner.read_raw("machine") if runner.reuse else {}
        if facts.get("machine") != runner.machine:
            facts = {"machine": runner.machine, **facts_of_now()}
            runner.write_raw("machine", facts)
        self.memory_gib, self.system, self.kernel = facts["memory_gib"], facts["system"], facts["kernel"]
        self.load, self.peers = facts["load"], facts["peers"]
        version = runner.portable_hpc("version", "--version", "-v", timeout=60)
        self.version_text = version.out.strip() if version.ok else version.why
        self.version = dict(line.split(None, 1) for line in version.out.strip().split("\n")[1:] if len(line.split(None, 1)) == 2)
        self.program = version.out.split("\n")[0] + (f", commit {self.version['commit']}" if "commit" in self.version else "")
        devices = runner.portable_hpc("devices", "devices", "--format", "json", timeout=60)
        found = [Device(row) for row in devices.rows()]
        self.devices = [device for device in found if labels is None or device.label in labels]
        self.unknown_devices = [label for label in labels or [] if label not in [device.label for device in found]]
        self.devices_table = runner.portable_hpc("devices-text", "devices", timeout=60).out

    @property
    def host(self):
        return next((device for device in self.devices if device.is_host), None)

    @property
    def gpus(self):
        return [device for device in self.devices if device.is_gpu]

    @property
    def measured(self):
        """The host and the first GPU of each name: what single-device measurements run on."""
        seen = {}
        for device in self.gpus:
            seen.setdefault(device.name, device)
        return ([self.host] if self.host else []) + list(seen.values())

    @property
    def all_kinds(self):
        """These and LLVM's x86_64 offload device, on which kernels run as on a GPU, in memory of its own."""
        offload = [device for device in self.devices if device.kind == "x86_64"]
        return self.measured + offload[:1]

    def html(self, mode, arguments, commands, dates):
        rows = [("machine", f"{self.processor}, {self.threads} threads, {self.memory_gib} GiB"),
                ("system", f"{self.system}, Linux {self.kernel}"),
                ("date", span(dates)), ("sizes", mode), ("load before", f"{self.load} (1, 5, 15 minutes)")]
        rows += [(f"device {device.label}", device.shown) for device in self.devices]
        rows += [(name, found if found else "not found") for name, found in self.peers.items()]
        if not self.gpus:
            rows.append(("GPU", "No GPU here: what a GPU has to say is marked, and recorded numbers stand apart."))
        runs = sum(command.split()[0] == "portable-hpc" or " portable-hpc " in command for command in commands)
        typed = " ".join(["report.py", *map(shown_argument, arguments)])
        rows.append(("commands", f"{typed}: {runs} runs of portable-hpc and "
                     f"{len(commands) - runs} of benchmarks and others, listed at the end"))
        cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
        texts = escape(f"{self.version_text}\n\n{self.devices_table}")
        return f'<section id="machine"><h2>Machine</h2><table>{cells}</table><pre>{texts}</pre></section>'


def facts_of_now():
    return {"memory_gib": round(int((first_value("/proc/meminfo", "MemTotal") or "0").split()[0]) / 2**20, 1),
            "system": first_value("/etc/os-release", "PRETTY_NAME", "=").strip('"') or platform.system(),
            "kernel": platform.release(), "load": " ".join(f"{value:.1f}" for value in os.getloadavg()), "peers": peers()}


def span(dates):
    """The day of the oldest and that of the newest of some results."""
    days = sorted({date[:10] for date in dates})
    return " to ".join(dict.fromkeys([days[0], days[-1]])) if days else ""


def shown_argument(word):
    """An argument of report.py, files and folders by their last names."""
    option, equals, value = word.rpartition("=")
    return f"{option}{equals}{os.path.basename(value.rstrip('/')) or value}" if "/" in value else word


def first_value(path, key, separator=":"):
    """The value of the first line `key : value` of a file of the system."""
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                name, found, value = line.partition(separator)
                if found and name.strip() == key:
                    return value.strip()
    except OSError:
        pass
    return ""


def said(*command):
    """What a program of the system says, "" where it is not here or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def library(*names):
    """The first of these libraries that the system's loader, or a CUDA or ROCm folder, has."""
    for name in names:
        try:
            ctypes.CDLL(name)
            return name
        except OSError:
            pass
        for folder in ("/usr/local/cuda/lib64", "/opt/rocm/lib"):
            if glob.glob(os.path.join(folder, name + "*")):
                return f"{name} in {folder}"
    return ""


def peers():
    """Other people's programs and libraries that this report compares with."""
    nvcc = said("nvcc", "--version")
    return {
        "FFTW": library("libfftw3f.so.3"),
        "cuFFT": library("libcufft.so.12", "libcufft.so.11"),
        "hipFFT": library("libhipfft.so.0", "libhipfft.so"),
        "Cas-OFFinder": os.path.basename(shutil.which("cas-offinder") or ""),
        "nvcc": nvcc.split("\n")[-1] if nvcc else "",
        "NVIDIA's driver": said("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split("\n")[0],
    }
