"""Mutation testing of the harness: it finds changes of the judging code that no test notices.

    make survivors
    .venv/bin/python harness/tests/survivors/survivors.py [--again] [FILE...]

mutmut changes one thing at a time in the files of survivors_targets.py, and runs the tests that
reach it. A survivor has to stand in survivors.yaml, with a reason. It takes an hour or two, can be
interrupted, and goes on where it was, as long as no file has changed.

Ends with 0 if the survivors are those of the list; 1 if one is not in it, or if the list is too
long; 2 for a wrong argument or list; 7 if a mutant was not tried, or its tests ended as tests do
not (`--again` tries it once more); 8 if mutmut cannot be run; 130 if it was interrupted. A mutant
of the list that is killed by now is named.
"""

import argparse
import sys
from collections import Counter

import survivors_list
from survivors_list import AT_MOST, Key, WrongList
from survivors_scratch import Failed, Fate, Mutant, Scratch, tools
from survivors_targets import TARGETS

MEMORY = 8 << 30
"""Bytes of addresses for a mutant that never stops filling a list."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help=f"one of {', '.join(TARGETS)}")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time; default 2")
    parser.add_argument(
        "--again",
        action="store_true",
        help="try only those again that were not killed before, whatever has changed since",
    )
    asked = parser.parse_args()
    unknown = [file for file in asked.files if file not in TARGETS]
    if unknown:
        parser.error(f"{unknown[0]} is not mutated; files are: {', '.join(TARGETS)}")
    if asked.jobs < 1:
        parser.error(f"--jobs is {asked.jobs}; it must be at least 1")
    try:
        codes = {too_many()}
        sys.path.append(str(tools()))
        for file in asked.files or TARGETS:
            codes.add(judged(Scratch(TARGETS[file]), asked.again, asked.jobs))
    except WrongList as error:
        print(f"survivors: {error}", file=sys.stderr)
        return 2
    except Failed as error:
        print(f"survivors: {error}", file=sys.stderr)
        return 8
    except KeyboardInterrupt:
        print("survivors: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return next(code for code in (1, 7, 0) if code in codes)


def judged(scratch: Scratch, again: bool, jobs: int) -> int:
    """Return 0 if the survivors of one file are those of the list."""
    file = scratch.target.file
    scratch.lay_out(keep=again)
    mutants = scratch.mutants()
    if again:
        left = [each.name for each in mutants if each.fate not in {Fate.KILLED, Fate.TIMEOUT}]
        if left or not mutants:
            scratch.run(left, jobs)
    elif not mutants or any(each.fate is Fate.UNTRIED for each in mutants):
        scratch.run([], jobs)
    mutants = scratch.mutants()
    fates = Counter(each.fate for each in mutants)
    told = ", ".join(f"{fates[fate]} {fate}" for fate in Fate if fates[fate])
    old = "" if scratch.is_current else "; those that were killed, with the files as they were"
    print(f"{file}: {len(mutants)} mutants: {told or 'none'}{old}", flush=True)
    for each in mutants:
        if each.fate in {Fate.TIMEOUT, Fate.UNCLEAR}:
            print(f"  {each.fate} ({each.code}): {each.name}")
    found = Counter(key_of(scratch, each) for each in mutants if each.fate is Fate.SURVIVED)
    known = survivors_list.counted(survivors_list.listed().get(file, []))
    for key, times in (known - found).items():
        print(f"  killed by now, or gone, {times} of the list:")
        print(survivors_list.entry(key, 1))
    unlisted = found - known
    if unlisted:
        print(f"  {unlisted.total()} survive, and {survivors_list.FILE.name} does not say why:")
        print("\n".join(survivors_list.entry(*each) for each in unlisted.items()))
    if unlisted:
        return 1
    return 7 if not mutants or fates[Fate.UNTRIED] or fates[Fate.UNCLEAR] else 0


def key_of(scratch: Scratch, mutant: Mutant) -> Key:
    from mutmut.utils.format_utils import orig_function_and_class_names_from_key

    function, room = orig_function_and_class_names_from_key(mutant.name)
    name = f"{room}.{function}" if room else function
    return survivors_list.key_of(name, *scratch.functions(mutant))


def too_many() -> int:
    count = sum(
        survivors_list.counted(entries).total() for entries in survivors_list.listed().values()
    )
    if count > AT_MOST:
        print(f"{survivors_list.FILE.name} lists {count} survivors, expected at most {AT_MOST}")
    return int(count > AT_MOST)


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.exit(main())
