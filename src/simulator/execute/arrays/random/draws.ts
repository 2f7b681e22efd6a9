/** Operations that draw from a random stream; each moves the stream by as many words as NumPy's function of the same purpose does. */
import type { Values } from '../../rounding';
import { type Call, number, type Operation } from '../operation';
import { dense } from '../value';
import type { Generator } from './generator';

const fill = (call: Call, next: () => number): Values => {
  const out = call.dtype.make(call.size);
  for (let i = 0; i < out.length; i++) out[i] = next();
  return out;
};

const streamOf = (call: Call): Generator => {
  if (!call.generator) throw new Error('a draw needs a random stream (attribute generator)');
  return call.generator;
};

/** Attributes low, high. */
function uniform(call: Call): Values {
  const source = streamOf(call);
  const low = number(call.attributes.low ?? 0, 'low');
  const width = number(call.attributes.high ?? 1, 'high') - low;
  return fill(call, () => low + width * source.double());
}

/** Attributes loc, scale. */
function normal(call: Call): Values {
  const source = streamOf(call);
  const loc = number(call.attributes.loc ?? 0, 'loc');
  const scale = number(call.attributes.scale ?? 1, 'scale');
  return fill(call, () => loc + scale * source.normal());
}

const WIDTHS: Record<string, 1 | 8 | 16 | 32> = { bool: 1, int8: 8, uint8: 8, int16: 16, uint16: 16, int32: 32, uint32: 32 };

/** Attributes low, high (inclusive). */
function integers(call: Call): Values {
  const source = streamOf(call);
  const low = number(call.attributes.low, 'low');
  const range = number(call.attributes.high, 'high') - low;
  if (!(range >= 0)) throw new Error('low >= high');
  if (range >= Number.MAX_SAFE_INTEGER) throw new Error('a range of 2**53 integers or more is not supported');
  const next = source.integers(range, WIDTHS[call.dtype.name] ?? 64);
  return fill(call, () => low + next());
}

/** Rows of the operand in random order. */
function shuffle(call: Call): Values {
  const source = streamOf(call);
  const from = dense(call.operands[0]);
  const rows = call.shape[0] ?? 0;
  const length = rows === 0 ? 0 : call.size / rows;
  const order = Array.from({ length: rows }, (_, i) => i);
  for (let i = rows - 1; i > 0; i--) {
    const j = source.interval(i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const out = call.dtype.make(call.size);
  for (let i = 0; i < rows; i++) out.set(from.subarray(order[i] * length, (order[i] + 1) * length), i * length);
  return out;
}

export const draws: Record<string, Operation> = {
  'random.uniform': uniform,
  'random.single': call => fill(call, () => streamOf(call).single()),
  'random.normal': normal,
  'random.integers': integers,
  'random.shuffle': shuffle,
};
