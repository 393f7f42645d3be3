"""What the scripts of all packages have in common: how they are told what to solve on standard input, and how they answer.

First come lines `NAME NUMBER` (`seed`, `verbose`, and what a package needs besides), any number of lines `option NAME VALUE`, and `open`.
The answer is `ready VERSION`, `missing REASON` where there is no such package, or `refused NAME: WHY` for the first option that the solver does
not take. Then come solves of two lines each: `solve SECONDS` (or `solve none`) and the model as JSON.
"""

import json
import os
import sys
import time

# The answers have a channel of their own: whatever else is printed goes to the log.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def answer(*words):
    print(*words, file=answers, flush=True)


def read_settings():
    """Settings by name, and the options in their order."""
    settings, options = {}, []
    for line in sys.stdin:
        key, _, rest = line.rstrip("\n").partition(" ")
        if key == "open":
            break
        if key == "option":
            options.append(rest.partition(" ")[::2])
        else:
            settings[key] = int(rest)
    return settings, options


def refuse(option, why):
    answer("refused", f"{option}: {why}")
    sys.exit(0)

