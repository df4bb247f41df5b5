"""Reads NVIDIA's images out of an executable: code bytes, registers and shared memory of each kernel, without a GPU or CUDA's
tools.

An image is an ELF file of machine 190 that stands in the executable. A kernel K is its section `.text.K`; `.nv.info` has
entries of (format, attribute, size, value), of which attribute 0x2f gives a symbol's number of registers; `.nv.shared.K` is as
large as the kernel's static shared memory.
"""
import re
import struct

CUDA_MACHINE = 190
REGISTERS = 0x2F
WITH_SIZE = 4  # the format of entries whose size stands in them

# Of a multiprocessor, compute capabilities 8.0 and 9.0: registers, their unit for a warp, threads.
SM_REGISTERS, SM_UNIT, SM_THREADS = 65536, 256, 2048


class Image:
    """One ELF file within `data`, from `start` on."""

    def __init__(self, data, start):
        self.data, self.start = data, start
        section_offset, = struct.unpack_from("<Q", data, start + 40)
        entry_size, count, names = struct.unpack_from("<HHH", data, start + 58)
        self.sections = []
        for number in range(count):
            fields = struct.unpack_from("<IIQQQQIIQQ", data, start + section_offset + number * entry_size)
            self.sections.append({"name": fields[0], "offset": fields[4], "size": fields[5], "info": fields[7]})
        strings = self.sections[names]
        for section in self.sections:
            section["name"] = self.text(strings["offset"] + section["name"])

    def text(self, offset):
        begin = self.start + offset
        return self.data[begin:self.data.index(b"\0", begin)].decode(errors="replace")

    def named(self, name):
        return next((section for section in self.sections if section["name"] == name), None)

    def symbols(self):
        table, strings = self.named(".symtab"), self.named(".strtab")
        if not table or not strings:
            return []
        return [self.text(strings["offset"] + struct.unpack_from("<I", self.data, self.start + table["offset"] + at)[0])
                for at in range(0, table["size"], 24)]

    def registers(self):
        """{kernel: registers of a thread}"""
        symbols, info, found = self.symbols(), self.named(".nv.info"), {}
        at = 0
        while info and at + 4 <= info["size"]:
            form, attribute, size = struct.unpack_from("<BBH", self.data, self.start + info["offset"] + at)
            if form == WITH_SIZE and attribute == REGISTERS and size >= 8:
                symbol, number = struct.unpack_from("<II", self.data, self.start + info["offset"] + at + 4)
                if symbol < len(symbols):
                    found[symbols[symbol]] = number
            at += 4 + (size if form == WITH_SIZE else 0)
        return found


def kernels_of(path):
    """{kernel: {code_bytes, registers, shared_bytes}} of the first NVIDIA image in an executable; {} where there is none."""
    with open(path, "rb") as file:
        data = file.read()
    for match in re.finditer(rb"\x7fELF\x02\x01", data):
        start = match.start()
        try:
            if struct.unpack_from("<H", data, start + 18)[0] != CUDA_MACHINE:
                continue
            image = Image(data, start)
            registers = image.registers()
        except (struct.error, ValueError, IndexError):
            continue
        found = {}
        for section in image.sections:
            if section["name"].startswith(".text."):
                kernel = section["name"][len(".text."):]
                shared = image.named(".nv.shared." + kernel)
                found[kernel] = {"code_bytes": section["size"], "registers": registers.get(kernel),
                                 "shared_bytes": shared["size"] if shared else 0}
        return found
    return {}


def occupancy(registers, threads):
    """Share of a multiprocessor's threads that teams of so many threads with so many registers can fill, by their registers
    alone."""
    warps = -(-threads // 32)
    of_warp = -(-registers * 32 // SM_UNIT) * SM_UNIT
    teams = min(SM_REGISTERS // (of_warp * warps), SM_THREADS // (warps * 32))
    return teams * warps * 32 / SM_THREADS
