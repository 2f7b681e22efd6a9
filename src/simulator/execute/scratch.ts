/**
 * Arrays for intermediate values: they are valid for one instruction, and the next one uses the same memory again. They are in the memory
 * of the WebAssembly modules while it has space; further ones are ordinary arrays, for plain loops. The same holds for the values of
 * tiles that are released during a run (`tiles`).
 *
 * One for all executions: instructions of all executions run one at a time.
 */
import { Spares } from './spares';
import { CopyModule } from './wasm/copy';
import { ElementwiseModule } from './wasm/elementwise';
import { FoldModule } from './wasm/fold';
import { MatmulModule } from './wasm/matmul';
import { WasmSpace } from './wasm/space';

export interface ScratchArea {
  buffer: ArrayBufferLike;
  offset: number;
}

const ELEMENT_BYTES = 4;
const LEAST_BYTES = 64;

class Scratch {
  private readonly space = new WasmSpace();
  readonly module = new ElementwiseModule(this.space);
  readonly copies = new CopyModule(this.space);
  readonly tiles = new Spares((Elements, length) => {
    const place = this.space.reserve(length * ELEMENT_BYTES);
    // The class takes a buffer as well as a length.
    return place
      ? new (Elements as typeof Float32Array)(place.buffer as unknown as ArrayBuffer, place.offset, length)
      : new Elements(length);
  });
  private products: MatmulModule | undefined;
  private foldings: FoldModule | undefined;
  private readonly places: (ScratchArea & { sizeBytes: number })[] = [];
  private used = 0;

  get matmul(): MatmulModule {
    this.products ??= new MatmulModule(this.space);
    return this.products;
  }

  get folds(): FoldModule {
    this.foldings ??= new FoldModule(this.space);
    return this.foldings;
  }

  /** An instruction begins: all places are free again. */
  reset() {
    this.used = 0;
  }

  /** A place of undefined content for `count` elements of four bytes. */
  take(count: number): ScratchArea {
    const index = this.used++;
    const needed = Math.max(count * ELEMENT_BYTES, LEAST_BYTES);
    if (!this.places[index] || this.places[index].sizeBytes < needed) {
      const sizeBytes = 2 ** Math.ceil(Math.log2(needed));
      this.places[index] = { sizeBytes, ...(this.space.reserve(sizeBytes) ?? { buffer: new ArrayBuffer(sizeBytes), offset: 0 }) };
    }
    return this.places[index];
  }

  floats(count: number): Float32Array {
    const { buffer, offset } = this.take(count);
    return new Float32Array(buffer, offset, count);
  }
}

let shared: Scratch | undefined;

/** Made when it is first needed: a run without values has no use for it. */
export function scratch(): Scratch {
  shared ??= new Scratch();
  return shared;
}
