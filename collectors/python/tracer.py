# The tracer: runs one script as "python3 SCRIPT" would and says what happened.
#
# It reads one JSON request a line from standard input and answers each with one
# JSON line on descriptor 3. The script runs in a child process, under limits
# that it cannot raise; this process only watches it. With "preload", the
# modules that a source imports at its top are imported once, so that children
# start warm.
#
# A script shares its process with the functions that describe it. They have
# builtins of their own and use nothing after it that it can replace; what they
# describe ends with a key that the script cannot find by the means of Python.
# In a sandbox this process is the namespace's first: nothing inside can stop it.
#
# It is given to the interpreter by -c and needs Python 3.9 or newer on Linux.
import ast
import base64
import builtins
import hashlib
import importlib
import importlib.util
import json
import os
import random
import resource
import select
import shutil
import signal
import sys
import time
import types

try:
    import ctypes
except ImportError:  # then a script has none either to look into this process
    ctypes = None

# What runs after a script, before the script can replace it.
__builtins__ = dict(vars(builtins))
__warningregistry__ = {}  # a script that warns about its caller notes it here
settrace, gettrace, end = sys.settrace, sys.gettrace, os._exit
quote = json.encoder.encode_basestring_ascii

ANSWERS = 3
MAX_FRAMES = 20  # script frames kept at each end of a traceback
MAX_MESSAGE = 64 << 10  # characters of an exception's message
CLOCK = 1767268800  # 2026-01-01, 12:00 UTC: when every script begins
MAX_FILES = 200  # files made by a script that are listed
KEPT = {os.path.join("/tmp", name) for name in [".mpl", *os.listdir("/tmp")]}  # what a sandbox has there before any script


def statements(tree):
    """The span of each statement, as {line: (first, last)}; a compound
    statement's span is its header. Later, inner statements win their lines."""
    spans = {}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.stmt, ast.excepthandler)):
            continue
        first, last = node.lineno, node.end_lineno
        body = [c for c in ast.iter_child_nodes(node) if isinstance(c, (ast.stmt, ast.excepthandler)) or type(c).__name__ == "match_case"]
        if body:
            inner = [c.end_lineno for c in ast.iter_child_nodes(node)
                     if hasattr(c, "end_lineno") and not isinstance(c, (ast.stmt, ast.excepthandler))]
            inner += [i.context_expr.end_lineno for i in getattr(node, "items", [])]
            args = getattr(node, "args", None)
            if isinstance(args, ast.arguments):
                inner += [a.end_lineno for a in ast.walk(args) if hasattr(a, "end_lineno")]
            last = max([first] + inner)
        for line in range(first, last + 1):
            known = spans.get(line)
            if known is None or last - first <= known[1] - known[0]:
                spans[line] = (first, last)
    return spans


class Trace:
    """Counts the lines of one file as they run."""

    def __init__(self, path):
        self.path, self.seen, self.step = path, {}, 0

    def call(self, frame, event, arg):
        return self.line if frame.f_code.co_filename == self.path else None

    def line(self, frame, event, arg):
        if event == "line":
            self.step += 1
            entry = self.seen.get(frame.f_lineno)
            if entry is None:
                self.seen[frame.f_lineno] = [1, self.step, self.step]
            else:
                entry[0] += 1
                entry[2] = self.step
        return self.line

    def executed(self, spans):
        """[first line, last line, runs, first step, last step] of each statement."""
        out = {}
        for line, (count, first, last) in self.seen.items():
            span = spans.get(line, (line, line))
            entry = out.get(span)
            if entry is None:
                out[span] = [count, first, last]
            else:
                out[span] = [max(entry[0], count), min(entry[1], first), max(entry[2], last)]
        return [[a, b, *entry] for (a, b), entry in sorted(out.items())]


def text(value, limit):
    """str(value) as text that any reader of JSON takes, and its whole length."""
    try:
        out = "".join((str(value),))  # of a class of the script's no more
    except BaseException:
        out = "<exception str() failed>"
    return out[:limit].encode("utf-8", "replace").decode("utf-8"), len(out)


def frames(exc, path, spans):
    """The frames inside the script, outermost first, and the top-level package
    of the first frame below the deepest of them."""
    inside, below = [], ""
    tb = exc.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        if code.co_filename == path:
            first, last = spans.get(tb.tb_lineno, (tb.tb_lineno, tb.tb_lineno))
            inside.append({"line": tb.tb_lineno, "first": first, "last": last, "function": code.co_name})
            below = ""
        elif inside and not below:
            below = str(tb.tb_frame.f_globals.get("__name__", "")).split(".")[0]
        tb = tb.tb_next
    if len(inside) > 2 * MAX_FRAMES:
        inside = inside[:MAX_FRAMES] + inside[-MAX_FRAMES:]
    return inside, below


def describe(exc, path, spans):
    message, length = text(exc, MAX_MESSAGE)
    inside, below = frames(exc, path, spans)
    filename = getattr(exc, "filename", None) if isinstance(exc, OSError) else None
    return {
        "type": text(type(exc).__qualname__, 1000)[0], "module": text(type(exc).__module__, 1000)[0], "message": message, "message_length": length,
        "frames": inside, "library": below, "environment": isinstance(exc, (OSError, MemoryError)),
        "filename": text(filename, 1000)[0] if filename is not None else "",
    }


def chain(exc):
    """The exceptions that led to this one, nearest first."""
    out, seen = [], {id(exc)}
    while len(out) < 5:
        exc = exc.__cause__ or (None if exc.__suppress_context__ else exc.__context__)
        if exc is None or id(exc) in seen:
            return out
        seen.add(id(exc))
        out.append({"type": text(type(exc).__qualname__, 1000)[0], "message": text(exc, 300)[0]})
    return out


def figures():
    """Hashes of the figures still open, as drawn."""
    plt = sys.modules.get("matplotlib.pyplot")
    out = []
    for number in plt.get_fignums() if plt else []:
        try:
            canvas = plt.figure(number).canvas
            canvas.draw()
            out.append(hashlib.sha256(bytes(canvas.buffer_rgba())).hexdigest()[:16])
        except BaseException as e:
            out.append("undrawn: " + type(e).__name__)
    return out


def localized(function):
    """The function of the time module with the fixed clock for its default."""
    return lambda *args: function(*args[:1]) if args and args[0] is not None else function(time.time())


def seed(number):
    """Fixes what a script draws or reads the time from: random and numpy's
    generators, the system's source of randomness as Python sees it, and the clock of
    the time module, which begins at CLOCK and goes on."""
    began, clock = time.monotonic(), time.monotonic
    time.time = lambda: CLOCK + clock() - began
    time.time_ns = lambda: int(time.time() * 1e9)
    strftime = time.strftime
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, localized(getattr(time, name)))
    time.strftime = lambda format, *args: strftime(format, *(args or (time.localtime(),)))
    os.urandom = random._urandom = random.Random(number).randbytes
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is None and importlib.util.find_spec("numpy"):
        import numpy
    if numpy is not None:
        numpy.random.seed(number)


def encode(value):
    """The JSON of what a record is made of. Anything else is an error."""
    kind = type(value)
    if kind is str:
        return quote(value)
    if kind is int:
        return str(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is list:
        return "[" + ",".join([encode(v) for v in value]) + "]"
    if kind is dict:
        return "{" + ",".join([quote(k) + ":" + encode(v) for k, v in value.items()]) + "}"
    raise TypeError(kind)


def state():
    """The identities of everything that describes a script: this module's names,
    its builtins, and the code of each."""
    mine = (*globals().values(), *vars(Trace).values(), *__builtins__.values())
    return (*map(id, mine), *[id(v.__code__) for v in mine if type(v) is types.FunctionType])


def run(job, source, path):
    """Runs the script in this process and describes what happened, as JSON. What
    the script finds in this frame, it cannot change."""
    try:
        code = compile(source, path, "exec", dont_inherit=True)
        spans = tuple(statements(ast.parse(source)).items())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return encode({"status": "unparsed", "exception": describe(e, path, {})}).encode()
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = main
    sys.argv = [path]
    sys.path[0:1] = [os.path.dirname(path)]
    seed(job["seed"])
    trace = Trace(path)
    function, now = trace.call, state
    before = now()
    settrace(function)
    try:
        exec(code, main.__dict__)
        out = {"status": "ok", "untraced": gettrace() is not function}
    except SystemExit as e:
        out = {"status": "exit", "exit": int.__add__(e.code, 0) if isinstance(e.code, int) else 0 if e.code is None else 1}
    except BaseException as e:
        settrace(None)
        out = {"status": "exception", "exception": describe(e, path, dict(spans)), "chain": chain(e)}
    finally:
        settrace(None)
    if now() != before or sum([entry[0] for entry in trace.seen.values()]) != trace.step:
        return b'{"status":"forged"}'
    out["statements"] = trace.executed(dict(spans))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass
    if out["status"] in ("ok", "exit"):
        out["figures"] = figures()
    return encode(out).encode()


def limit(job):
    limits = job["limits"]
    for name, soft, hard in (
        (resource.RLIMIT_CPU, limits["cpu"], limits["cpu"] + 1),
        (resource.RLIMIT_AS, limits["memory"], limits["memory"]),
        (resource.RLIMIT_FSIZE, limits["file"], limits["file"]),
        (resource.RLIMIT_NPROC, limits["processes"], limits["processes"]),
        (resource.RLIMIT_NOFILE, limits["files"], limits["files"]),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(name, (soft, hard))


def close_but(*kept):
    """Closes every descriptor above 2 but some."""
    for fd in map(int, os.listdir("/proc/self/fd")):
        if fd > 2 and fd not in kept:
            try:
                os.close(fd)
            except OSError:
                pass  # that of the list itself


def take(fd):
    """What is in a pipe, which is closed then."""
    with open(fd, "rb") as pipe:
        return pipe.read()


def look_into(allowed):
    """Whether others of the same user may read this process's memory and
    descriptors, and trace it."""
    if ctypes:
        ctypes.CDLL(None).prctl(4, int(allowed), 0, 0, 0)  # PR_SET_DUMPABLE


def child(job, source, path, key, answer, output):
    """The child's whole life; it never returns. While the script runs, the key
    is on the stack of this frame's evaluation, which neither frames nor the
    garbage collector show."""
    status = 70
    try:
        look_into(True)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        close_but(answer, key)
        os.chdir(job["folder"])
        limit(job)
        sink = open(answer, "wb")
        write, flush = sink.write, sink.flush
        write(b"".join((take(key), run(job, source, path))[::-1]))
        flush()
        status = 0
    finally:
        end(status)


def wipe(folder):
    for name in os.listdir(folder):
        if os.path.join(folder, name) in KEPT:
            continue
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def wipe_all(job):
    """Removes what scripts made. False says that something is left."""
    try:
        for folder in [job["folder"], "/tmp", "/dev/shm"] if job.get("isolated") else [job["folder"]]:
            wipe(folder)
    except (OSError, RecursionError):
        return False
    return True


def place(job):
    """Puts the script and its files into the empty work folder and gives the
    files' digests by path."""
    digests = {}
    for name, content in [(job["path"], job["code"])] + [(f["path"], f["content"]) for f in job.get("inputs") or []]:
        data = base64.b64decode(content)
        path = os.path.join(job["folder"], name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        digests[name] = hashlib.sha256(data).hexdigest()[:16]
    return digests


def made(folder, before):
    """Digests of the files that are new or changed, by path."""
    out, waiting = {}, [folder]
    while waiting:
        at = waiting.pop()
        try:
            names = sorted(os.listdir(at))
        except OSError:  # too deep, or it may not be read
            continue
        folders = {n for n in names if os.path.isdir(os.path.join(at, n))}
        waiting += [os.path.join(at, n) for n in reversed(names) if n in folders and n != "__pycache__" and not os.path.islink(os.path.join(at, n))]
        for name in names:
            path = os.path.join(at, name)
            relative = os.path.relpath(path, folder)
            if len(out) >= MAX_FILES:
                return out
            if name in folders:
                continue
            digest = digest_of(path)
            if before.get(relative) != digest:
                out[text(relative, 300)[0]] = digest
    return out


def digest_of(path):
    if os.path.islink(path) or not os.path.isfile(path):
        return "special"
    h = hashlib.sha256()
    try:
        with open(path, "rb") as f:
            for block in iter(lambda: f.read(1 << 20), b""):
                h.update(block)
    except OSError:
        return "unreadable"
    return h.hexdigest()[:16]


def watch(pid, answer, output, job):
    """Reads what the child answers and writes until it has ended, and ends it
    when it is over a limit. Gives the answer, the digest of the output, the
    limit that it broke and how it ended."""
    limits, broken, record = job["limits"], "", bytearray()
    digest, size, printed = hashlib.sha256(), 0, bytearray()
    ended = os.pidfd_open(pid)
    deadline = time.monotonic() + limits["wall"]
    poll = select.poll()
    for fd in (answer, output, ended):
        poll.register(fd, select.POLLIN)
    last = False
    while True:
        ready = [fd for fd, _ in poll.poll(0 if last else max(0, int(1000 * (deadline - time.monotonic()))) + 1)]
        for fd in (answer, output):
            data = os.read(fd, 1 << 16) if fd in ready else b""
            if fd in ready and not data:
                poll.unregister(fd)
                ready.remove(fd)
            elif fd == answer:
                record += data
            else:
                size += len(data)
                digest.update(data)
                printed += data[:max(0, job.get("print", 0) - len(printed))]
        if last and not [fd for fd in ready if fd != ended]:
            break
        if not broken:
            if size > limits["output"] or len(record) > limits["answer"]:
                broken = "output"
            elif time.monotonic() > deadline and not last:
                broken = "timeout"
            if broken:
                os.kill(pid, signal.SIGKILL)
        if broken and ended in ready:
            break
        last = last or ended in ready
    os.close(ended)
    _, status, usage = os.wait4(pid, 0)
    return record, digest.hexdigest()[:16], size, printed, broken, status, usage


def ending(record, status, usage, broken, job):
    """What is said of a child that left no record of ours."""
    if broken:
        return {"status": broken}
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        spent = usage.ru_utime + usage.ru_stime >= job["limits"]["cpu"]
        if number == signal.SIGXCPU or number == signal.SIGKILL and spent:
            return {"status": "timeout"}
        return {"status": "killed", "exit": number}
    if record:
        return {"status": "forged"}
    return {"status": "vanished", "exit": os.WEXITSTATUS(status)}


def clear():
    """Ends all other processes of the sandbox."""
    try:
        os.kill(-1, signal.SIGKILL)
        while True:
            os.wait()
    except (ProcessLookupError, ChildProcessError):
        pass


def serve(job):
    """Runs one job in a child and answers it."""
    if "folder" not in job:
        raise ValueError("a job without a folder")
    before = place(job)
    source, path = base64.b64decode(job["code"]), os.path.join(job["folder"], job["path"])
    answer, give = os.pipe()
    output, write = os.pipe()
    key, put = os.pipe()
    pid = os.fork()
    if pid == 0:
        child(job, source, path, key, give, write)
    secret = os.urandom(16).hex().encode()
    os.write(put, secret)
    for fd in (give, write, key, put):
        os.close(fd)
    record, digest, size, printed, broken, status, usage = watch(pid, answer, output, job)
    os.close(answer)
    os.close(output)
    if job.get("isolated") and os.getpid() == 1:
        clear()
    try:
        result = json.loads(record[:-len(secret)]) if not broken and status == 0 and record.endswith(secret) else None
    except ValueError:
        result = None
    if not isinstance(result, dict):
        result = ending(record, status, usage, broken, job)
    if result.get("status") in ("ok", "exit"):
        result["output"], result["output_bytes"] = digest, size
        result["made"] = made(job["folder"], before)
    result["printed"] = printed.decode("utf-8", "replace")
    result["cpu"] = usage.ru_utime + usage.ru_stime
    result["dirty"] = not wipe_all(job)
    return result


def preload(source):
    """Imports what the source imports at its top level."""
    try:
        tree = ast.parse(base64.b64decode(source))
    except (SyntaxError, ValueError, RecursionError):
        return {}
    for node in tree.body:
        names = []
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in names:
            try:
                importlib.import_module(name)
            except BaseException:
                pass
    return {}


def versions(names):
    """The interpreter and the installed versions of some distributions."""
    import importlib.metadata
    import platform
    found = {}
    for name in names:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return {"python": platform.python_version(), "implementation": platform.python_implementation(),
            "machine": platform.machine(), "system": platform.system(), "libraries": found}


def main():
    close_but(ANSWERS)
    look_into(False)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for line in sys.stdin.buffer:
        job = json.loads(line)
        if "preload" in job:
            result = preload(job["preload"])
        elif "versions" in job:
            result = versions(job["versions"])
        else:
            result = serve(job)
        data = json.dumps(result).encode() + b"\n"
        while data:
            data = data[os.write(ANSWERS, data):]


main()
