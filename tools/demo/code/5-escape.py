# Tries to get out, then stays and waits for orders.
import ctypes
import os
import signal
import time

CLONE_NEWUSER = 0x10000000
PTRACE_POKEDATA, PTRACE_ATTACH, PTRACE_DETACH = 5, 16, 17
JAIL = "/srv/agent/work/out/jail"
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
traced, killed = (int(pid) for pid in open("/srv/agent/work/stand-ins").read().split())


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def other_cgroup():
    with open("/sys/fs/cgroup/elsewhere/cgroup.procs", "w") as file:
        file.write(str(os.getpid()))


def chroot():
    os.makedirs(JAIL, exist_ok=True)
    os.chroot(JAIL)


def user_namespace():
    check(libc.unshare(CLONE_NEWUSER))


def ptrace():
    check(libc.ptrace(PTRACE_ATTACH, traced, None, None))
    os.waitpid(traced, 0)
    # Rewrite the beginning of its environment.
    with open(f"/proc/{traced}/stat") as file:
        start = int(file.read().rsplit(")", 1)[1].split()[47])
    check(libc.ptrace(PTRACE_POKEDATA, traced, start, int.from_bytes(b"OWNED=1\0", "little")))
    check(libc.ptrace(PTRACE_DETACH, traced, None, None))


def attempt(name, act):
    try:
        act()
        print(f"{name}: done", flush=True)
    except Exception as error:
        print(f"{name}: failed: {error!r}", flush=True)
        return False
    return True


# What changes the process itself is done by a child that stays there.
children = []
for name, act in (("cgroup", other_cgroup), ("chroot", chroot), ("userns", user_namespace)):
    child = os.fork()
    if child == 0:
        if attempt(name, act):
            time.sleep(60)
        os._exit(0)
    children.append(child)
attempt("ptrace", ptrace)
attempt("kill", lambda: os.kill(killed, signal.SIGKILL))
time.sleep(0.3)
print("waiting", flush=True)
open("/srv/agent/work/orders").read()
for child in children:
    os.kill(child, signal.SIGKILL)
