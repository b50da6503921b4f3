#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: completion.py PROGRAM: asks the shells that are here what they would offer, and mandoc what it thinks of the
manual page. A program that is not here is skipped aloud."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support.processes import run  # noqa: E402

# What stands on the line, what must be offered for its last word, and what must not.
CASES: list[tuple[list[str], set[str], set[str]]] = [
    (["ser"], {"serve"}, {"keys"}),
    ([""], {"serve", "keys", "config", "completion"}, {"create", "rotate"}),
    (["keys", ""], {"create", "list", "set-plan"}, {"serve", "migrate"}),
    (["keys", "create", "--pl"], {"--plan"}, {"--name", "--listen"}),
    (["keys", "list", "--"], {"--json", "--store"}, {"--plan", "--listen"}),
    (["config", "ch"], {"check"}, {"show"}),
    (["config", "check", "--lis"], {"--listen"}, {"--ready"}),
    (["check", "--"], {"--store"}, {"--listen"}),
    (["serve", "--max"], {"--max-connections"}, {"--listen"}),
    (["serve", "--threads", ""], set(), {"serve", "--threads", "a.toml"}),
    (["serve", "--config", ""], {"a.toml"}, {"--threads"}),
]

ZSH = r"""
compdef() { : }
_describe() { local list=${@[-1]}; print -rl -- ${${(P)list}%%:*} }
_files() { print -rl -- *(N) }
source $1
shift
words=(petstore "$@")
CURRENT=$#words
_petstore
"""


def output_of(command: list[str], folder: Path) -> list[str]:
    done = run(*command, code=None, cwd=folder)
    if done.stderr:
        raise AssertionError(f"{command[0]} complains: {done.stderr}")
    return done.stdout.splitlines()


def offered(shell: str, script: Path, line: list[str], folder: Path) -> set[str]:
    if shell == "bash":
        ask = ('source "$1"; shift; COMP_WORDS=(petstore "$@"); COMP_CWORD=$#; _petstore; '
               'printf "%s\\n" "${COMPREPLY[@]}"')
        words = output_of(["bash", "--norc", "-c", ask, "bash", str(script), *line], folder)
    elif shell == "zsh":
        # Which of them begin like the word is for zsh's own functions to say, and those need a terminal.
        words = [w for w in output_of(["zsh", "-f", "-c", ZSH, "zsh", str(script), *line], folder) if w.startswith(line[-1])]
    else:
        ask = f"source {script}; complete -C 'petstore {' '.join(line)}'"
        words = [w.split("\t")[0] for w in output_of(["fish", "--no-config", "-c", ask], folder)]
    return set(words)


def judge(shell: str, program: str, folder: Path) -> int:
    script = folder.parent / f"petstore.{shell}"
    script.write_text(run(program, "completion", shell).stdout)
    faults = 0
    for line, wanted, unwanted in CASES:
        words = offered(shell, script, line, folder)
        if not wanted <= words or words & unwanted:
            faults += 1
            print(f"{shell}: petstore {' '.join(line)}: {sorted(words)}, wanted {wanted}, not {unwanted}")
    print(f"{shell}: {len(CASES)} lines, {faults} faults")
    return faults


def judge_manual(program: str) -> int:
    done = run("mandoc", "-Tlint", "-Wwarning", code=None, given=run(program, "man").stdout)
    told = [line for line in done.stdout.splitlines() if "referenced manual not found" not in line]
    print("\n".join(["mandoc:", *told]) if told else "mandoc: nothing to say")
    return len(told)


def main() -> int:
    program = str(Path(sys.argv[1]).resolve())
    faults = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "here"
        folder.mkdir()
        (folder / "a.toml").write_text("")
        for tool in ("bash", "zsh", "fish", "mandoc"):
            if shutil.which(tool) is None:
                print(f"Left out: there is no {tool}")
            else:
                faults += judge_manual(program) if tool == "mandoc" else judge(tool, program, folder)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
