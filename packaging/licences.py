#!/usr/bin/env python3
"""Prints the licences of what is linked into the binary: each crate with its expression and, once, every text that crates carry,
for C and C++ sources and fonts in them too; and those of the archives of the system that are linked where they are installed."""

import json
import re
import subprocess
from pathlib import Path

TEXT = re.compile(r"(.*[._-])?(un)?(licen[cs]es?|copying|copyright|notices?)([._-].*)?", re.IGNORECASE)
SOURCES = {".rs", ".py", ".h", ".cpp"}
# Packages of Debian, without the ending -dev: CBC, what it needs, and the libraries of C and C++.
ARCHIVES = ["coinor-lib*", "liblapack", "libblas", "libbz2", "zlib1g", "libc6", "libgcc-*", "libstdc++-*"]

rustc = subprocess.check_output(["rustc", "-vV"], text=True)
host = re.search("^host: (.*)$", rustc, re.MULTILINE)[1]
command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host]
metadata = json.loads(subprocess.check_output(command))
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}

# Crates for building and for tests are not linked.
linked, waiting = set(), [key for key, package in packages.items() if package["name"] == "tilebench"]
while waiting:
    key = waiting.pop()
    if key not in linked:
        linked.add(key)
        waiting += [dep["pkg"] for dep in nodes[key]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]

users = {}


def note(user, path):
    users.setdefault(path.read_text(errors="replace").strip(), []).append(user)


print("tilebench links these crates:\n")
for crate in sorted((packages[key] for key in linked), key=lambda crate: (crate["name"], crate["version"])):
    if crate["source"]:
        name = f"{crate['name']} {crate['version']}"
        files = sorted(Path(crate["manifest_path"]).parent.rglob("*"))
        named = [file for file in files if TEXT.fullmatch(file.name) or file.parent.name == "LICENSES"]
        texts = [file for file in named if file.suffix not in SOURCES and file.is_file()]
        print(f"{name}: {crate['license'] or 'see below'}" + ("" if texts else " (carries no text)"))
        for text in texts:
            note(name, text)
for pattern in ARCHIVES:
    for path in sorted(Path("/usr/share/doc").glob(f"{pattern}-dev/copyright")):
        note(path.parent.name, path)
# Those of Debian name texts that every system has, in a folder of their own.
for text, names in list(users.items()):
    for name in sorted(set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", text))):
        path = Path("/usr/share/common-licenses") / name
        if path.is_file():
            note(", ".join(dict.fromkeys(names)), path)
for text, names in users.items():
    print("\n" + "-" * 100 + "\n" + ", ".join(dict.fromkeys(names)) + "\n\n" + text)
