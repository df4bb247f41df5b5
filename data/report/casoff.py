"""Chapter: Cas-OFFinder in SYCL (Jin and Vetter), off-target search; here `portable-hpc casoff`, and by its `--bench` their five
comparers."""
import os
import random
import re

from device_facts import devices_table
from gpu_images import kernels_of, occupancy
from machine import said
from tables import Table

OPTIONS = ["base", "opt1", "opt2", "opt3", "opt4"]
COMPARERS = OPTIONS + ["ours"]
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
    table_9(one, here, elapsed)
    table_10(one, here)
    figure_2(one, here, elapsed)
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
    """Each genome searched several times on each device, Cas-OFFinder beside where it is found, and by `--bench`: with our own
    comparer, and with all comparers, of a made genome in a part."""
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
        benches = {(device.label, kind): [here.runner.program, "casoff", "--bench", "--opt", ",".join(options), "--repeats", runs,
                                          path, "--device", device.label, *part]
                   for device in here.machine.measured
                   for kind, options, runs, part in (("ours", ["ours"], here.sizes.casoff_runs, []),
                                                     ("comparers", COMPARERS, here.sizes.comparer_runs, part_of(genome, here)))}
        needed += [(f"casoff-{kind}-{word}-{label}", bench) for (label, kind), bench in benches.items()]
        needed += [(f"cas-offinder-{word}-{number}", peer) for number in numbers if peer]
        if genome["is_made"] and not all(here.runner.has_kept(name, command) for name, command in needed):
            write_genome(genome["path"], genome["bases"])
        genome["runs"] = {label: [here.runner.run(f"casoff-{word}-{label}-{number}", search) for number in numbers]
                          for label, search in searches.items()}
        genome["bench"] = {(label, kind): here.runner.run(f"casoff-{kind}-{word}-{label}", bench, timeout=7200)
                           for (label, kind), bench in benches.items()}
        genome["peer"] = [here.runner.run(f"cas-offinder-{word}-{number}", peer, timeout=3600) for number in numbers if peer]
        if genome["is_made"] and os.path.exists(genome["path"]):  # before the next one is made: each may be of gigabytes
            os.unlink(genome["path"])
    return all_genomes


def part_of(genome, here):
    """The words that limit a search by the paper's comparers to a part of a made genome, where that is enough."""
    bases = here.sizes.comparer_bases
    return ["--region", f"chr1:1-{bases}"] if genome["is_made"] and bases else []


def part_name(genome, here):
    """What the paper's comparers search, by name."""
    if not part_of(genome, here):
        return genome["name"]
    return f"random, {here.sizes.comparer_bases // 10**6} of {genome['bases'] // 10**6} million bases"


def bench_of(genome, device, kind="comparers"):
    """{comparer: its row of `--bench`}"""
    return {row["comparer"]: row for row in genome["bench"][device.label, kind].rows()}


def no_bench(item, elapsed):
    """Says why a run of `--bench` has no rows."""
    for run in {run.why: run for genome in elapsed for run in genome["bench"].values() if not run.rows()}.values():
        item.missing(f"No times by phase: {run.why or 'the program told none'}.")


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
            own = bench_of(genome, device, "ours").get("ours")
            table.add(genome["name"], "portable-hpc", device.shown, len(runs), own and round(own["elapsed_s"] - own["set_up_s"], 4),
                      round(best.wall_s, 3), round(best.cpu_s, 3), round(best.memory_mib), sites(best))
        peer = [run for run in genome["peer"] if run.ok]
        if peer:
            best = min(peer, key=lambda run: run.wall_s)
            table.add(genome["name"], "Cas-OFFinder", "GPU" if here.machine.gpus else "processor", len(peer), None,
                      round(best.wall_s, 3), round(best.cpu_s, 3), round(best.memory_mib), None)
    if table.rows:
        item.table(table, caption="Here and now: our own three guides (data/casoff/input.txt) with up to 5 mismatches, N21RG; the "
                   "least of several runs")
    item.say("Set-up excluded: by `--bench`, the least of as many searches in one process, from the first bases that are read to "
             "the last row, without the device's set-up. Random genomes are made by a fixed seed.")
    no_bench(item, elapsed)
    if not (here.options.hg19 and here.options.hg38):
        item.missing("hg19 and hg38 were not both given (`--hg19 FILE --hg38 FILE`): random genomes stand in their place" +
                     ("." if here.sizes.is_full else ", smaller ones than those in a run that is not full."))
    if not here.machine.peers["Cas-OFFinder"]:
        item.missing("Cas-OFFinder was not found here, so only ours is timed.")
    if not here.machine.gpus:
        item.missing("No GPU here: the host alone.")
    item.recorded("casoff-table-8")
    item.recorded("casoff-table-8-host")


def table_9(chapter, here, elapsed):
    item = chapter.item("casoff-table-9", "Table IX: base and optimised")
    item.claim("Seconds of the whole run by SYCL, before and after the optimisations:")
    paper = Table(["device", "base_hg38_s", "base_hg19_s", "optimised_hg38_s", "optimised_hg19_s", "speed_up_hg38",
                   "speed_up_hg19"])
    for device, _, _, base38, base19, tuned38, tuned19 in PAPER_SECONDS:
        paper.add(device, base38, base19, tuned38, tuned19, round(base38 / tuned38, 2), round(base19 / tuned19, 2))
    item.table(paper, name="paper", caption="The paper's")
    table = Table(["genome", "device", "bases", "base_s", "opt4_s", "speed_up", "ours_s", "ours_speed_up", "comparer_base_s",
                   "comparer_opt4_s", "comparer_speed_up"])
    for genome in elapsed:
        for device in here.machine.measured:
            rows = bench_of(genome, device)
            if set(COMPARERS) <= rows.keys():
                base, tuned, ours = rows["base"], rows["opt4"], rows["ours"]
                table.add(part_name(genome, here), device.shown, base["bases"], base["elapsed_s"], tuned["elapsed_s"],
                          ratio(base, tuned, "elapsed_s"), ours["elapsed_s"], ratio(base, ours, "elapsed_s"),
                          base["comparer_s"], tuned["comparer_s"], ratio(base, tuned, "comparer_s"))
    if table.rows:
        item.table(table, caption=f"Here and now, by `casoff --bench`: three guides with up to 5 mismatches, N21RG; the least of "
                   f"{runs_of(here)}. The last three columns: the comparer's kernels alone")
    limits(item, here, elapsed)
    item.recorded("casoff-table-9")


def ratio(base, other, column):
    """How many times as long the base takes; None where nothing was compared."""
    return round(base[column] / other[column], 3) if other[column] else None


def runs_of(here):
    return f"{here.sizes.comparer_runs} runs" if here.sizes.comparer_runs > 1 else "one run"


def limits(item, here, elapsed):
    """Says what the comparers' runs are not."""
    no_bench(item, elapsed)
    if here.sizes.comparer_bases and any(genome["is_made"] for genome in elapsed):
        item.missing(f"The paper's comparers were run on {here.sizes.comparer_bases // 10**6} million bases of the random genome; a "
                     "full run takes all.")
    if not here.machine.gpus:
        item.missing("No GPU here: the host alone.")


# Kernels by what their names hold, and the threads of a team on a GPU. (Of the enumeration's values 0 is ours, which is no
# kernel of that name.)
KERNELS = [(option, WHAT[option], rf"14LetterComparerILNS\w*8ComparerE{number}E", 256) for number, option in enumerate(OPTIONS, 1)]
KERNELS += [("ours, all places", "64 places in a word of bits", r"22AllSlotsComparerKernelILi(64|1)E", 64),
            ("ours, candidates", "64 sites that fit the PAM in a word of bits", r"23CandidateComparerKernelILi(64|1)E", 64)]


def library_of(program):
    """The file that holds the comparers: the library that the program is linked to, else the program."""
    found = re.search(r"libphpc_casoff\S* => (/\S+)", said("ldd", program))
    return found.group(1) if found else program


def code_bytes(path):
    """{kernel's name: bytes of the host's code of it}, from the library's table of symbols."""
    found = {}
    for line in said("nm", "-S", path).split("\n"):
        match = re.match(r"[0-9a-f]+ ([0-9a-f]+) [tTwW] (\S+)", line)
        for name, _, pattern, _ in KERNELS if match else []:
            if re.search(pattern, match.group(2)):
                found[name] = max(found.get(name, 0), int(match.group(1), 16))
    return found


def gpu_code(path):
    """{kernel's name: what the NVIDIA image in a file says of it}"""
    found = {}
    for symbol, facts in kernels_of(path).items():
        for name, _, pattern, _ in KERNELS:
            # A kernel has two regions in the image, one of them without code of its own where the other serves.
            if re.search(pattern, symbol) and facts["code_bytes"] > found.get(name, {"code_bytes": 0})["code_bytes"]:
                found[name] = facts
    return found


def table_10(chapter, here):
    item = chapter.item("casoff-table-10", "Table X: code, registers, occupancy")
    item.claim("Code bytes, registers and occupancy of base to opt4 on a GPU: not quoted.")
    library = library_of(here.runner.program)
    of_host, of_gpu = code_bytes(library), gpu_code(library)
    table = Table(["comparer", "what", "host_code_bytes", "gpu_code_bytes", "gpu_registers", "gpu_scratch_bytes",
                   "gpu_occupancy_percent"])
    for name, what, _, threads in KERNELS:
        facts = of_gpu.get(name, {})
        registers = facts.get("registers")
        if name in of_host or facts:
            table.add(name, what, of_host.get(name), facts.get("code_bytes"), registers, facts.get("shared_bytes"),
                      round(100 * occupancy(registers, threads)) if registers else None)
    if table.rows:
        item.table(table, caption="Read from the library that holds the kernels of `portable-hpc casoff`: its table of symbols, and "
                   "its image for NVIDIA's GPUs where it has one")
    if of_gpu:
        item.say("Occupancy: the share of a multiprocessor's 2048 threads that groups of 256 (ours: 64) with so many registers "
                 "fill, of 65536. Ours takes scratch by the guides' letters, which is not in the image.")
    else:
        item.missing("This build has no image for NVIDIA's GPUs (`make gpu ARCH=sm_90` makes them): no registers, no occupancy.")
    if not of_host:
        item.missing("The library's symbols do not tell the code of the host's comparers, or there is no nm.")
    item.recorded("casoff-table-10")


def figure_2(chapter, here, elapsed):
    item = chapter.item("casoff-fig-2", "Fig. 2: the comparer's optimisations")
    item.claim("Bars of base to opt4 by data set and device; their heights: not quoted.")
    table = Table(["genome", "comparer", "device", "seconds", "elapsed_seconds"], title="Seconds of the comparer's kernels",
                  plot={"kind": "bars", "x": "comparer", "y": "seconds", "by": ["device"], "panel": "genome",
                        "ylabel": "seconds of the comparer's kernels"})
    for genome in elapsed:
        for device in here.machine.measured:
            rows = bench_of(genome, device)
            for option in COMPARERS:
                if option in rows:
                    table.add(part_name(genome, here), option, device.shown, rows[option]["comparer_s"], rows[option]["elapsed_s"])
    if table.rows:
        item.figure(table, caption=f"Three guides with up to 5 mismatches, N21RG; of {runs_of(here)} that which elapsed quickest")
        item.figure(Table(table.columns, table.rows, title="Seconds of the whole search",
                          plot={**table.plot, "y": "elapsed_seconds", "ylabel": "seconds of the whole search"}),
                    name="elapsed", caption="The same searches as a whole, reading and rows included")
        item.say("The paper's comparers look at sites that fit the PAM, which a finder lists before them; for few guides ours "
                 "looks at all places, 64 at a time, without a finder.")
    limits(item, here, elapsed)
    item.recorded("casoff-fig-2")


PHASES = ["set_up_s", "waiting_s", "upload_s", "finder_s", "comparer_s", "download_s", "sites_s", "rows_s"]


def share(chapter, here, elapsed):
    item = chapter.item("casoff-share", "Share of the comparer in kernels' and elapsed time")
    item.claim("The comparer takes 98 % of the kernels' time, the kernels 50 to 80 % of the elapsed time.")
    table = Table(["genome", "device", "comparer", "elapsed_s", *PHASES, "reading_s", "comparer_of_kernels_percent",
                   "kernels_of_elapsed_percent", "comparer_of_elapsed_percent"])
    picture = Table(["search", "comparer", "share", "percent"], title="Share of the comparer",
                    plot={"kind": "bars", "x": "comparer", "y": "percent", "by": ["share"], "panel": "search",
                          "ylabel": "per cent of the time"})
    for genome in elapsed:
        for device in here.machine.measured:
            for kind in ("comparers", "ours"):
                for name, row in bench_of(genome, device, kind).items():
                    if kind == "ours" or name != "ours":
                        table.add(genome["name"] if kind == "ours" else part_name(genome, here), device.shown, name,
                                  *[row[column] for column in table.columns[3:]])
                        for of, words in (("kernels", "of the kernels' time"), ("elapsed", "of the elapsed time")):
                            picture.add(f"{'host' if device.is_host else device.shown}; {part_name(genome, here)}", name, words,
                                        row[f"comparer_of_{of}_percent"])
    if table.rows:
        item.table(table, caption="By `casoff --bench`; phases in seconds of the thread that searches, one after the other; reading "
                   "goes on beside them. `ours` with the whole genome")
        item.figure(picture, name="percent", caption="The comparer's share of the kernels' and of the elapsed time")
    limits(item, here, elapsed)
