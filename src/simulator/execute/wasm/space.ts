/**
 * The memory that the WebAssembly modules of this folder share, and the places in it. It grows and never moves: arrays over it
 * stay valid. What a place is for is its owner's business.
 */
import { type WasmFunction, wasmModule } from './encode';

const PAGE_BYTES = 65536;
/** Address space, not memory: pages are taken as they are needed. */
const MAX_PAGES = 32768;
/** Of a vector: every place begins at a multiple of it. */
const ALIGN_BYTES = 16;

export interface WasmArea {
  buffer: SharedArrayBuffer;
  offset: number;
}

export class WasmSpace {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  /** The code that was put over it. */
  readonly modules: WebAssembly.Module[] = [];
  private used = 0;
  /** Buffers of the memory: one for each time it grew. */
  private readonly buffers = new Set<unknown>([this.memory.buffer]);

  /** Place for an array, rounded up to whole vectors; it is never given back. null when the memory is full. */
  reserve(sizeBytes: number): WasmArea | null {
    const offset = this.used;
    const end = offset + Math.ceil(sizeBytes / ALIGN_BYTES) * ALIGN_BYTES;
    const missing = Math.ceil((end - this.memory.buffer.byteLength) / PAGE_BYTES);
    if (end > MAX_PAGES * PAGE_BYTES) return null;
    if (missing > 0) this.memory.grow(missing);
    this.used = end;
    this.buffers.add(this.memory.buffer);
    return { buffer: this.memory.buffer as unknown as SharedArrayBuffer, offset };
  }

  owns({ buffer }: Float32Array | Int32Array | Uint32Array): boolean {
    return this.buffers.has(buffer);
  }

  /** The functions with this memory under them; without those of `optional` where the machine does not know their instructions. */
  instance(functions: readonly WasmFunction[], optional: readonly WasmFunction[] = []): WebAssembly.Exports {
    try {
      return this.link([...functions, ...optional]);
    } catch (error) {
      if (optional.length === 0 || !(error instanceof WebAssembly.CompileError)) throw error;
      return this.link(functions);
    }
  }

  private link(functions: readonly WasmFunction[]): WebAssembly.Exports {
    const code = new WebAssembly.Module(wasmModule(functions, MAX_PAGES));
    this.modules.push(code);
    return new WebAssembly.Instance(code, { env: { memory: this.memory } }).exports;
  }
}
