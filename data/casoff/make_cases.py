#!/usr/bin/env python3
"""Makes the files of this folder: a random genome with planted sites, two query files, and the rows that a search must give.

The rows come from the definition, letter by letter, with nothing shared with the program: run it from the repository's root."""
import random

MEANING = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "K": "GT", "M": "AC", "S": "CG", "W": "AT",
           "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT"}
LETTER = {frozenset(bases): letter for letter, bases in MEANING.items()}
OPPOSITE = {"A": "T", "C": "G", "G": "C", "T": "A"}
FOLDER = "data/casoff/"


def complement(letter):
    if letter not in MEANING:
        return letter
    return LETTER[frozenset(OPPOSITE[base] for base in MEANING[letter])]


def reversed_complement(letters):
    return "".join(complement(letter) for letter in reversed(letters))


def mismatch(query, letter):
    """Cas-OFFinder's table."""
    if len(MEANING[query]) == 1:
        return letter != query
    return letter in "ACGT" and letter not in MEANING[query]


def rows(genome, pattern, queries):
    found = []
    for name, letters in genome:
        letters = letters.upper()
        for position in range(len(letters) - len(pattern) + 1):
            window = letters[position:position + len(pattern)]
            for strand, site in (("+", window), ("-", reversed_complement(window))):
                if any(mismatch(p, letter) for p, letter in zip(pattern, site)):
                    continue
                for query, threshold, ident in queries:
                    marks = [mismatch(q, letter) for q, letter in zip(query, site)]
                    if sum(marks) <= threshold:
                        shown = "".join(letter.lower() if mark else letter for letter, mark in zip(site, marks))
                        found.append("\t".join([query, name, str(position), shown, strand, str(sum(marks)), ident]))
    return found


def plant(sequence, position, site, changes, rng):
    site = list(site)
    for at in rng.sample(range(20), changes):
        site[at] = rng.choice([base for base in "ACGT" if base != site[at]])
    sequence[position:position + len(site)] = site


def main():
    rng = random.Random(20261121)
    guides = ["GGCCGACCTGTCGCTGACGC", "CGCCAGCGTCAGCGACAGGT", "GACGTTAGCCATTGACCTGA"]
    lengths = [("chr1 made of random letters", 18000), ("chr2", 12013), ("scaffold_3", 64), ("scaffold_4", 22), ("chrM", 3001)]
    genome = []
    for name, length in lengths:
        sequence = [rng.choice("ACGT") for _ in range(length)]
        if length > 1000:
            for index in range(60):
                guide = guides[index % 3]
                site = guide + rng.choice(["AGG", "TGG", "CAG", "GGG"])
                if index % 2:
                    site = reversed_complement(site)
                plant(sequence, rng.randrange(length - 23), site, index % 7, rng)
            # The first and the last window of a sequence, a run of N, soft-masked letters, and ambiguous ones.
            sequence[:23] = guides[0] + "TGG"
            sequence[-23:] = reversed_complement(guides[1] + "CAG")
            sequence[500:560] = "N" * 60
            for at in rng.sample(range(length), 40):
                sequence[at] = rng.choice("RYKMSWBDHVN")
            low = rng.randrange(length - 300)
            sequence[low:low + 300] = [letter.lower() for letter in sequence[low:low + 300]]
        genome.append((name, "".join(sequence)))
    with open(FOLDER + "genome.fa", "w") as out:
        for name, letters in genome:
            out.write(">" + name + "\n")
            out.write("".join(letters[at:at + 70] + "\n" for at in range(0, len(letters), 70)))
    cases = {
        "": ("N" * 21 + "RG", [(guide + "NNN", 5, ident) for guide, ident in zip(guides, ["alpha", "beta", "gamma"])]),
        "_cas12a": ("TTTV" + "N" * 20, [("NNNN" + guides[2], 9, "low"), ("NNNNRYSWKMBDHVNACGTRYNNA", 4, "ambiguous")]),
    }
    for suffix, (pattern, queries) in cases.items():
        with open(FOLDER + f"input{suffix}.txt", "w") as out:
            out.write(FOLDER + "genome.fa\n" + pattern + "\n")
            out.writelines(f"{query} {threshold} {ident}\n" for query, threshold, ident in queries)
        with open(FOLDER + f"expected{suffix}.tsv", "w") as out:
            out.writelines(row + "\n" for row in rows(genome, pattern, queries))


main()
