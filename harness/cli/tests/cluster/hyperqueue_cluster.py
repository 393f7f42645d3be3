"""A HyperQueue for tests: a server and workers, each worker a process that a test may kill, by the library of the wheel alone.

Run it in a network namespace: the server has no keys and listens everywhere. It reads orders from standard input, a line each, and
answers each with a line: `worker` starts one (the answer is the number of its process), `submit FILE` submits a job file with one array
(the number of the job), `wait JOB` waits for its end. It ends with its input.

    hyperqueue_cluster.py FOLDER [FOLDER-OF-A-WORKER]
"""

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest


def numbers(text):
    """The numbers of `1-3,7`."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def job_of(file):
    """What `hq job submit-file` makes of a job file with one array."""
    read = tomllib.loads(Path(file).read_text())
    array = read["array"]
    (request,) = array["request"]
    job = Job(name=read["name"], max_fails=None)
    wanted = list(numbers(array["ids"]))
    # The library numbers tasks from 0 on: those that are not wanted do nothing.
    for number in range(max(wanted) + 1):
        args = array["command"] if number in wanted else ["/bin/true"]
        job.program(
            args,
            stdout=array["stdout"],
            stderr=array["stderr"],
            resources=ResourceRequest(cpus=request["resources"]["cpus"]),
        )
    return job


def work(folder, own):
    """Is a worker of the server in a folder. The library has workers only in the process of a server: so there is another one, idle."""
    cluster = LocalCluster(str(own))
    (own / "hq-current").unlink()
    (own / "hq-current").symlink_to((folder / "hq-current").resolve())
    cluster.start_worker(WorkerConfig(cores=2))
    print(os.getpid(), flush=True)
    while True:
        time.sleep(1000)


def serve(folder):
    """Is the server, which prints to a log what it has to say."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    log = os.open(folder / "server.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    # As `ip link set lo up`: SIOCSIFFLAGS with IFF_UP.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh22x", b"lo", 1))
    cluster = LocalCluster(str(folder))
    access = folder / "hq-current" / "access.json"
    record = json.loads(access.read_text())
    # The name of this machine may lead elsewhere than to its loopback, the only way out of a network namespace.
    record["client"]["host"] = record["worker"]["host"] = "127.0.0.1"
    access.chmod(0o600)
    access.write_text(json.dumps(record))
    client, workers, jobs = cluster.client(), [], {}
    for line in sys.stdin:
        match line.split():
            case ["worker"]:
                own = folder / f"worker{len(workers)}"
                command = [sys.executable, __file__, str(folder), str(own)]
                workers.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
                # After what its own server prints.
                print(next(line.strip() for line in workers[-1].stdout if line.strip().isdigit()), file=answers)
            case ["submit", file]:
                job = client.submit(job_of(file))
                jobs[job.id] = job
                print(job.id, file=answers)
            case ["wait", job]:
                client.wait_for_jobs([jobs[int(job)]], raise_on_error=False)
                print("ended", file=answers)
    for worker in workers:
        worker.kill()
    # Without waiting for the server's threads.
    os._exit(0)


if len(sys.argv) > 2:
    work(Path(sys.argv[1]), Path(sys.argv[2]))
else:
    serve(Path(sys.argv[1]))
