// Python sources that the benches capture.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const HEAD = `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np

`;

/** Load, exp, store of 250 x 512 in two tiles: the size of AWS's own profiling example. */
export const EXP = `${HEAD}
@nki.jit
def exp(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for start in range(0, 250, 125):
        tile = nl.ndarray((125, 512), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=a[start:start + 125, :])
        nisa.activation(dst=tile, op=nl.exp, data=tile)
        nisa.dma_copy(dst=out[start:start + 125, :], src=tile)
    return out


exp(np.zeros((250, 512), dtype=np.float32))
`;

/** `instructions` additions in a Python loop on one tile, plus a load and a store. */
export const longLoop = instructions => `${HEAD}
@nki.jit
def long_loop(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    x = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    y = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=x, src=a)
    for i in range(${instructions / 2}):
        nisa.tensor_tensor(dst=y, data1=x, data2=x, op=nl.add)
        nisa.tensor_tensor(dst=x, data1=y, data2=y, op=nl.subtract)
    nisa.dma_copy(dst=out, src=x)
    return out


long_loop(np.zeros((128, 64), dtype=np.float32))
`;

/** Writes the source to a folder of its own; returns the file's path. */
export function kernelFile(name, source) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-bench-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  fs.writeFileSync(file, source);
  return file;
}
