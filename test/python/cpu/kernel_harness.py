"""Compiles kernels with ferrule-opt and calls them through the kernel ABI."""

import ctypes
import pathlib
import re
import shutil
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
LAST = 1 << 30  # kernels stop at their own number of workgroups


class Buffer(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
    ]


class Arguments(ctypes.Structure):
    _fields_ = [
        ("structSize", ctypes.c_uint32),
        ("bufferCount", ctypes.c_uint32),
        ("buffers", ctypes.POINTER(Buffer)),
        ("scalars", ctypes.POINTER(ctypes.c_int64)),
        ("scalarCount", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


class Worker(ctypes.Structure):
    _fields_ = [
        ("structSize", ctypes.c_uint32),
        ("index", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("scratch", ctypes.c_void_p),
    ]


def find_opt():
    built = ROOT / "build" / "bin" / "ferrule-opt"
    return str(built) if built.exists() else shutil.which("ferrule-opt")


def aligned(shape, dtype):
    """Memory as the runtime gives it: aligned to 64 bytes."""
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(count + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + count].view(dtype).reshape(shape)


def place(array):
    array = np.asarray(array)
    copy = aligned(array.shape, array.dtype)
    copy[...] = array
    return copy


class Kernels:
    def __init__(self, text, cpu="x86-64-v3", passes=()):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        source = folder / "kernels.mlir"
        source.write_text(text)
        command = [
            find_opt(),
            str(source),
            *passes,
            "--tile-kernels",
            f"--lower-kernels=cpus={cpu}",
            f"--build-images=cpus={cpu} output={folder / 'image'}",
            "--mlir-elide-resource-strings-if-larger=8",
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr[:4000])
        (image,) = folder.glob("image.*")
        self.library = ctypes.CDLL(str(image))
        # Symbols of the image are hashes; the program says where each kernel is.
        entries = re.findall(r'#byre.entry<"([^"]+)" at (\d+)', done.stdout)
        self.offsets = {name: int(offset) for name, offset in entries}

    def prepare(self, name, buffers, scalars=()):
        """A callable (first, last) -> code, and what must stay alive."""
        structs = (Buffer * len(buffers))()
        keep = [structs]
        for struct, array in zip(structs, buffers):
            sizes = (ctypes.c_int64 * max(1, array.ndim))(*array.shape)
            strides = (ctypes.c_int64 * max(1, array.ndim))(
                *[s // array.itemsize for s in array.strides]
            )
            struct.data = array.ctypes.data
            struct.sizes = sizes
            struct.strides = strides
            keep += [sizes, strides, array]
        slots = (ctypes.c_int64 * max(1, len(scalars)))(*scalars)
        arguments = Arguments(
            ctypes.sizeof(Arguments), len(buffers), structs, slots, len(scalars), 0
        )
        scratch = aligned((1 << 22,), np.uint8)
        worker = Worker(ctypes.sizeof(Worker), 0, 1, 0, scratch.ctypes.data)
        keep += [slots, arguments, scratch, worker]
        # glibc's handle points to the link_map, whose first field is the base.
        base = ctypes.c_uint64.from_address(self.library._handle).value
        entry = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32,
            ctypes.c_uint32,
        )(base + self.offsets[name])  # fmt: skip
        a, w = ctypes.addressof(arguments), ctypes.addressof(worker)
        return (lambda first=0, last=LAST: entry(a, w, first, last)), keep

    def run(self, name, inputs, outs, scalars=(), splits=(1, 3)):
        """Runs the kernel in several ranges; outs are arrays or (shape, dtype)."""
        outs = [
            place(o) if isinstance(o, np.ndarray) else aligned(*o) for o in outs
        ]
        call, keep = self.prepare(name, [place(i) for i in inputs] + outs, scalars)
        bounds = [0, *splits, LAST]
        for first, last in zip(bounds, bounds[1:]):
            assert call(first, last) == 0
        del keep
        return outs
