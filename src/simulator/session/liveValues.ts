/**
 * Values that a kernel needs while it runs (registers, dynamic offsets, `print(tile)`). Keeps the program that is being recorded.
 * `execute/live/` computes its values.
 */
import { packBytes } from '../execute/rounding';
import type { HostRequest } from '../frontend/protocol';
import { type LiveProgram, type LiveRead, RunError } from './backend';
import type { SessionContext } from './sessionContext';

type Peek = Extract<HostRequest, { call: 'peek' }>;

interface Peeked extends Pick<LiveRead, 'written' | 'assumed'> {
  bytes: Uint8Array;
}

export class LiveValues {
  private program: LiveProgram | null = null;
  /** Tensor -> array. */
  private inputs = new Map<number, number>();

  constructor(private readonly session: SessionContext) {}

  /** `bytes`: packed in the tensor's dtype, C order. */
  peek(request: Peek, piece: Uint8Array): Peeked {
    if (request.purpose === 'print' && this.session.options.request.numerics === 'off')
      throw new RunError('NumericsOff', 'the kernel asks for values of a tensor, and numerics are off: run with numerics on or auto');
    const program = this.current(request);
    for (const [tensor, array] of request.inputs) this.inputs.set(tensor, array);
    const { tensor, offset, strides, counts, dtype: as, apart } = request;
    const start = performance.now(); // no report of progress, because a loop may request values thousands of times
    try {
      program.append(piece);
      const { dtype, values, ...known } = program.read(tensor, { offset, strides, counts }, as, apart);
      return { bytes: packBytes(dtype, values), ...known };
    } finally {
      this.session.spentMs.execute += performance.now() - start;
    }
  }

  private current({ first }: Peek): LiveProgram {
    if (this.program && !first) return this.program;
    const { backend, interrupt, target, request } = this.session.options;
    const inputs = new Map<number, number>();
    this.inputs = inputs;
    const valuesOf = (tensor: number) => {
      const array = inputs.get(tensor);
      return array === undefined ? null : this.session.arrays.values(array);
    };
    this.program = backend.live(valuesOf, { shouldStop: () => interrupt.reason !== 'none', target, machine: request.machine });
    return this.program;
  }
}
