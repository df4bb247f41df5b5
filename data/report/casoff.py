"""Chapter: Cas-OFFinder in SYCL (Jin and Vetter), off-target search; here `portable-hpc casoff`, and the five comparers of
bench_casoff."""
import os
import random
import re

from device_facts import devices_table
from gpu_images import kernels_of, occupancy
from machine import said
from sycl_fft import to_us
from tables import Table

OPTIONS = ["base", "opt1", "opt2", "opt3", "opt4"]
WHAT = {"base": "as in Cas-OFFinder", "opt1": "pointers without aliases", "opt2": "and what is read again in registers",
        "opt3": "and the guide copied by all items", "opt4": "and the guide's letter in a register"}
# Seconds of the paper's Tables VIII and IX: device, hg38, hg19 by OpenCL, by SYCL, by SYCL tuned.
PAPER_SECONDS = [("Radeon VII", 71, 54, 61, 48, 52, 39), ("MI60", 63, 51, 63, 50, 57, 42), ("MI100", 61, 49, 58, 41, 53, 36)]
# A search's steps, as OpenCL and SYCL have them and as this program does.
STEPS = [
    ("choice of a device", "clGetPlatformIDs, clGetDeviceIDs", "selector", "`--device`, `exec::select_devices`"),
    ("context and queue", "clCreateContext, clCreateCommandQueue", "queue", "`exec::Queue`; a launch waits by itself"),
    ("program and kernels", "clCreateProgramWithSource, clBuildProgram, clCreateKernel", "functors, compiled with the program",
     "functors in the images of `phpc::casoff`"),
    ("memory of the device", "clCreateBuffer", "buffer", "`exec::Buffer`"),
    ("copies", "clEnqueueWriteBuffer, clEnqueueReadBuffer", "accessor, handler::copy", "`Buffer::copy_from`, `copy_to`"),
    ("arguments", "clSetKernelArg", "captures of the functor", "members of the functor"),
    ("launch", "clEnqueueNDRangeKernel", "parallel_for of an nd_range", "`exec::launch` of groups"),
    ("index of a work item", "get_global_id, get_group_id", "nd_item::get_global_id, get_group",
     "`team.league_rank()`, `team.rank()`"),
    ("local memory", "local arrays", "local accessor", "the functor's `Scratch`"),
    ("barrier", "barrier", "nd_item::barrier", "`team.barrier()`"),
    ("atomic count", "atomic_inc", "atomic_ref::fetch_add", "`__atomic_fetch_add` in the paper's comparers; ours gives each hit a "
     "key and sorts"),
    ("end", "clRelease...", "destructors", "destructors"),
]


def chapter(page, here):
    one = page.chapter(
        "casoff", "Cas-OFFinder in SYCL: sites of CRISPR guides",
        "Jin and Vetter moved Cas-OFFinder from OpenCL to SYCL, timed both on three AMD GPUs with hg19 and hg38, and made its "
        "comparer faster in four steps, one upon another.")
    mapping(one)
    table_7(one, here)
    elapsed = search_genomes(here)
    table_8(one, here, elapsed)
    comparers = bench_comparers(here)
    table_9(one, here, comparers)
    table_10(one, here)
    figure_2(one, here, comparers)
    share(one, here, elapsed)


def mapping(chapter):
    item = chapter.item("casoff-tables-1-6", "Tables I to VI: from OpenCL through SYCL to this program")
    item.claim("Six tables on the way from OpenCL to SYCL; their rows: not quoted. The steps of a search, in the terms of both and "
               "of this program:")
    item.table(Table(["step", "OpenCL", "SYCL", "here"], STEPS))


def table_7(chapter, here):
    item = chapter.item("casoff-table-7", "Table VII: devices")
    item.claim("Radeon VII, MI60 and MI100: clocks, cores, caches and bandwidths: not quoted.")
    devices_table(item, here)


def write_genome(path, bases, seed=1):
    """Random letters, the same for a seed, 60 to a line, in sequences no longer than the human genome's."""
    letters = bytes(b"ACGT"[value >> 6] for value in range(256))
    source = random.Random(seed)
    with open(path, "wb") as out:
        for number, begin in enumerate(range(0, bases, 200_000_000), 1):
            out.write(b">chr%d\n" % number)
            left = min(200_000_000, bases - begin)
            while left > 0:
                part = source.randbytes(min(left, 6_000_000)).translate(letters)
                out.write(b"\n".join(part[at:at + 60] for at in range(0, len(part), 60)) + b"\n")
                left -= len(part)


def genomes(here):
    named = [(name, getattr(here.options, name)) for name in ("hg19", "hg38") if getattr(here.options, name)]
    found = [{"name": name, "path": os.path.abspath(path), "is_made": False} for name, path in named]
    if len(named) < 2:
        given = [name for name, _ in named]
        for name, bases in here.sizes.genomes.items():
            if not any(word in name for word in given):
                found.append({"name": name, "path": os.path.join(here.runner.scratch, f"random-{bases}.fa"), "is_made": True,
                              "bases": bases})
    return found


def search_genomes(here):
    """Each genome searched several times on each device, Cas-OFFinder beside where it is found; the wall clock's and the
    program's seconds."""
    all_genomes = genomes(here)
    with open(os.path.join(here.root, "data/casoff/input.txt"), encoding="ascii") as file:
        queries = file.read().split("\n", 1)[1]
    for genome in all_genomes:
        word = re.sub("[^a-z0-9]+", "-", genome["name"])
        path = os.path.join(here.runner.scratch, f"queries-{word}.txt")
        with open(path, "w", encoding="utf-8") as out:
            out.write(genome["path"] + "\n" + queries)
        rows = os.path.join(here.runner.scratch, "rows.txt")
        numbers = range(here.sizes.casoff_runs)
        searches = {device.label: [here.runner.program, "casoff", path, "--device", device.label, "-o", rows]
                    for device in here.machine.measured}
        peer = ["cas-offinder", path, "G" if here.machine.gpus else "C", rows] if here.machine.peers["Cas-OFFinder"] else None
        needed = [(f"casoff-{word}-{label}-{number}", search) for label, search in searches.items() for number in numbers]
        needed += [(f"casoff-trace-{word}-{label}", search) for label, search in searches.items()]
        needed += [(f"cas-offinder-{word}-{number}", peer) for number in numbers if peer]
        if genome["is_made"] and not all(here.runner.has_kept(name, command) for name, command in needed):
            write_genome(genome["path"], genome["bases"])
        genome["runs"] = {label: [here.runner.run(f"casoff-{word}-{label}-{number}", search) for number in numbers]
                          for label, search in searches.items()}
        genome["trace"] = {label: here.runner.run(f"casoff-trace-{word}-{label}", search, env={"PHPC_TRACE": "1"})
                           for label, search in searches.items()}
        genome["peer"] = [here.runner.run(f"cas-offinder-{word}-{number}", peer, timeout=3600) for number in numbers if peer]
        if genome["is_made"] and os.path.exists(genome["path"]):  # before the next one is made: each may be of gigabytes
            os.unlink(genome["path"])
    return all_genomes


def own_seconds(run):
    found = re.search(r"([0-9.]+) s$", run.err.strip().split("\n")[-1])
    return float(found.group(1)) if found else None


def sites(run):
    found = re.search(r"(\d+) sites? of", run.err)
    return int(found.group(1)) if found else None


def table_8(chapter, here, elapsed):
    item = chapter.item("casoff-table-8", "Table VIII: elapsed time, OpenCL and ours")
    item.claim("Seconds of a whole search in hg38 and in hg19, by OpenCL and by SYCL:")
    item.table(Table(["device", "OpenCL_hg38_s", "OpenCL_hg19_s", "SYCL_hg38_s", "SYCL_hg19_s"],
                     [row[:5] for row in PAPER_SECONDS]),
               name="paper", caption="The paper's")
    table = Table(["genome", "program", "device", "runs", "least_s_set_up_excluded", "least_s_whole_process", "cpu_s", "memory_MiB",
                   "sites"])
    for genome in elapsed:
        for device in here.machine.measured:
            runs = [run for run in genome["runs"][device.label] if run.ok]
            if not runs:
                item.missing(f"Nothing of {genome['name']} on {device.shown}: {genome['runs'][device.label][0].why}.")
                continue
            best = min(runs, key=lambda run: run.wall_s)
            own = [own_seconds(run) for run in runs if own_seconds(run) is not None]
            table.add(genome["name"], "portable-hpc", device.shown, len(runs), min(own) if own else None, round(best.wall_s, 3),
                      round(best.cpu_s, 3), round(best.memory_mib), sites(best))
        peer = [run for run in genome["peer"] if run.ok]
        if peer:
            best = min(peer, key=lambda run: run.wall_s)
            table.add(genome["name"], "Cas-OFFinder", "GPU" if here.machine.gpus else "processor", len(peer), None,
                      round(best.wall_s, 3), round(best.cpu_s, 3), round(best.memory_mib), None)
    if table.rows:
        item.table(table, caption="Here and now: our own three guides (data/casoff/input.txt) with up to 5 mismatches, N21RG; the "
                   "least of several runs")
    item.say("Set-up excluded: the seconds that the program says itself, to a hundredth. Sequences that are read from a random "
             "genome are made by a fixed seed.")
    if not (here.options.hg19 and here.options.hg38):
        item.missing("hg19 and hg38 were not both given (`--hg19 FILE --hg38 FILE`): random genomes stand in their place" +
                     ("." if here.sizes.is_full else ", smaller ones than those in a run that is not full."))
    if not here.machine.peers["Cas-OFFinder"]:
        item.missing("Cas-OFFinder was not found here, so only ours is timed.")
    if not here.machine.gpus:
        item.missing("No GPU here: the host alone.")
    item.recorded("casoff-table-8")
    item.recorded("casoff-table-8-host")


def bench_comparers(here):
    """{device label: {option: bases/s}}, with "ours" the whole search, and why there are none."""
    executable = here.runner.bench("bench_casoff")
    if not executable:
        return {}, "bench_casoff is not built (`make bench`)"
    found, why = {}, ""
    for device in here.machine.measured:
        run = here.runner.run(f"casoff-comparers-{device.label}",
                              [executable, "--benchmark_filter=^paper_comparer|^search/guides:1/pam:0/",
                               "--benchmark_format=json", f"--benchmark_min_time={here.sizes.bench_seconds}"],
                              env={"PHPC_BENCH_DEVICE": device.label}, timeout=1800)
        rates = {}
        for row in run.rows():
            name = re.search(r"<(\w+)>", row["name"])
            if row.get("error_occurred"):
                why = why or f"{row['name']}: {row.get('error_message')}"
            else:
                rates[name.group(1) if name else "ours"] = (row["bases/s"], to_us(row) / 1e3)
        found[device.label] = rates
        why = why or run.why
    return found, why


def no_opt(item):
    item.missing("`portable-hpc casoff` has no `--bench` with `--opt base|...|opt4` yet: the five comparers are bench_casoff's, on "
                 "random letters, for guides of A, C, G and T alone, and a whole search by each of them cannot be timed.")


def table_9(chapter, here, comparers):
    item = chapter.item("casoff-table-9", "Table IX: base and optimised")
    item.claim("Seconds of the whole run by SYCL, before and after the optimisations:")
    paper = Table(["device", "base_hg38_s", "base_hg19_s", "optimised_hg38_s", "optimised_hg19_s", "speed_up_hg38",
                   "speed_up_hg19"])
    for device, _, _, base38, base19, tuned38, tuned19 in PAPER_SECONDS:
        paper.add(device, base38, base19, tuned38, tuned19, round(base38 / tuned38, 2), round(base19 / tuned19, 2))
    item.table(paper, name="paper", caption="The paper's")
    rates, why = comparers
    table = Table(["device", "base_ms", "opt4_ms", "speed_up", "ours_whole_search_speed_up"])
    for device in here.machine.measured:
        of_device = rates.get(device.label, {})
        if {"base", "opt4"} <= of_device.keys():
            base, tuned = of_device["base"], of_device["opt4"]
            table.add(device.shown, round(base[1], 3), round(tuned[1], 3), round(tuned[0] / base[0], 3),
                      round(of_device["ours"][0] / base[0], 1) if "ours" in of_device else None)
    if table.rows:
        item.table(table, caption="Here and now: the comparer alone, one guide; last column: this program's whole search of as "
                   "many bases, by bases a second")
    if why:
        item.missing(f"No comparers: {why}.")
    no_opt(item)


def code_bytes(path):
    """{option: bytes of the host's code of its comparer}, from the executable's table of symbols."""
    found = {}
    for line in said("nm", "-S", path).split("\n"):
        match = re.match(r"[0-9a-f]+ ([0-9a-f]+) [tTwW] \S*13PaperComparerILNS\w*6OptionE(\d)E", line)
        if match:
            option = OPTIONS[int(match.group(2))]
            found[option] = max(found.get(option, 0), int(match.group(1), 16))
    return found


ITEMS_OF_A_GROUP = 256  # of each comparer


def gpu_code(path):
    """{option: what the executable's NVIDIA image says of its comparer's kernel}"""
    found = {}
    for kernel, facts in kernels_of(path).items():
        match = re.search(r"13PaperComparerILNS\w*6OptionE(\d)E", kernel)
        # A kernel has two regions in the image, one of them without code of its own where the other serves.
        if match and facts["code_bytes"] > found.get(OPTIONS[int(match.group(1))], {"code_bytes": 0})["code_bytes"]:
            found[OPTIONS[int(match.group(1))]] = facts
    return found


def table_10(chapter, here):
    item = chapter.item("casoff-table-10", "Table X: code, registers, occupancy")
    item.claim("Code bytes, registers and occupancy of base to opt4 on a GPU: not quoted.")
    executable = here.runner.bench("bench_casoff")
    if not executable:
        item.missing("No code to read: bench_casoff is not built (`make bench`).")
    else:
        of_host, of_gpu = code_bytes(executable), gpu_code(executable)
        table = Table(["comparer", "what", "host_code_bytes", "gpu_code_bytes", "gpu_registers", "gpu_scratch_bytes",
                       "gpu_occupancy_percent"])
        for option in OPTIONS:
            facts = of_gpu.get(option, {})
            registers = facts.get("registers")
            table.add(option, WHAT[option], of_host.get(option), facts.get("code_bytes"), registers, facts.get("shared_bytes"),
                      round(100 * occupancy(registers, ITEMS_OF_A_GROUP)) if registers else None)
        item.table(table, caption="Read from bench_casoff: its table of symbols, and its image for NVIDIA's GPUs where it has one")
        if of_gpu:
            item.say("Occupancy: the share of a multiprocessor's 2048 threads that groups of 256 with so many registers fill, of "
                     "65536.")
        else:
            item.missing("bench_casoff has no image for NVIDIA's GPUs here (`make gpu ARCH=sm_90` makes them): no registers, no "
                         "occupancy.")
        if not of_host:
            item.missing("The executable's symbols do not tell the code of the host's comparers, or there is no nm.")
    item.recorded("casoff-table-10")


def figure_2(chapter, here, comparers):
    item = chapter.item("casoff-fig-2", "Fig. 2: the comparer's optimisations")
    item.claim("Bars of base to opt4 by data set and device; their heights: not quoted.")
    rates, why = comparers
    table = Table(["comparer", "device", "seconds"], title="Seconds for 100 million bases and one guide with up to 5 mismatches",
                  plot={"kind": "bars", "x": "comparer", "y": "seconds", "by": ["device"],
                        "ylabel": "seconds for 100 million bases"})
    for device in here.machine.measured:
        for option in OPTIONS + ["ours"]:
            if option in rates.get(device.label, {}):
                table.add(option if option != "ours" else "ours, whole search", device.shown, 1e8 / rates[device.label][option][0])
    if table.rows:
        item.figure(table)
        item.say("The paper's comparers look at sites that fit the PAM; ours is the whole search of a packed genome, finder "
                 "included.")
    if why:
        item.missing(f"No comparers: {why}.")
    no_opt(item)


def share(chapter, here, elapsed):
    item = chapter.item("casoff-share", "Share of the comparer in kernels' and elapsed time")
    item.claim("The comparer takes 98 % of the kernels' time, the kernels 50 to 80 % of the elapsed time.")
    table = Table(["genome", "device", "kernel", "launches", "ms", "share_of_kernels_percent", "share_of_elapsed_percent"])
    for genome in elapsed:
        for device in here.machine.measured:
            run = genome["trace"][device.label]
            times = {}
            for kernel, time in re.findall(r"trace: (?:device )?[^:]*: (.*?): \d+ groups .*?, ([0-9.]+) us", run.err):
                short = re.sub(r"<.*", "", kernel.split("::")[-1] if "<" not in kernel
                               else kernel[:kernel.index("<")].split("::")[-1])
                times.setdefault(short, []).append(float(time))
            total = sum(map(sum, times.values()))
            for kernel, each in times.items():
                table.add(genome["name"], device.shown, kernel, len(each), round(sum(each) / 1e3, 3),
                          round(100 * sum(each) / total, 1), round(100 * sum(each) / 1e6 / run.wall_s, 1))
    if table.rows:
        item.table(table, caption="From the launches that PHPC_TRACE=1 tells, and the whole process' time; launches may run at the "
                   "same time as reading")
    else:
        item.missing("The program told of no launches (PHPC_TRACE=1).")
    item.missing("Times of reading, packing and writing apart are not told by `casoff` yet.")
