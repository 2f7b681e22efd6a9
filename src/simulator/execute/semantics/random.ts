/** Random numbers on Vector and GpSimd; the generators themselves are `random.ts`'s. */
import { fromPattern } from '../bits';
import { ExecutionError } from '../errors';
import type { RandomEngine, RandomEngineState } from '../random';
import type { Step } from '../step';

const hasGenerators = (engine: unknown): engine is RandomEngine => engine === 'GpSimd' || engine === 'Vector';

/** The generators of the call's engine, else of the row's first one. */
function generators(step: Step): RandomEngineState {
  const engine = [step.attribute('engine'), ...step.row.engines].find(hasGenerators);
  if (!engine) throw new ExecutionError(`${step.row.name}: none of its engines has generators of random numbers`);
  return step.random[engine];
}

/** Names of a row's inputs, in the order of its operands. */
const inputs = ({ row }: Step) => Object.keys(row.operands).filter(name => row.operands[name].role !== 'out');

/** 32 random bits for each element of `dst`, partition by partition. */
function draw(step: Step, state: RandomEngineState): Uint32Array {
  const first = step.memory.lane(step.operand('dst'), step.machine.partitions.value);
  const [partitions] = step.counts('dst');
  const bits = new Uint32Array(step.elements('dst'));
  const run = bits.length / partitions;
  for (let p = 0; p < partitions; p++) state.fill(first(p), bits.subarray(p * run, (p + 1) * run));
  return bits;
}

/** `nki.isa.rng`: as many of the lowest bits as the dtype has. */
export function randomBits(step: Step): void {
  const bits = draw(step, generators(step));
  const element = fromPattern(step.dtype('dst').name);
  const out = step.elementArray(step.dtype('dst'), bits.length);
  for (let i = 0; i < bits.length; i++) out[i] = element(bits[i]);
  step.write(out);
}

const UNIT = 2 ** -24;

/** Uniform in [min, max): 24 random bits each, the precision of float32. */
export function randomUniform(step: Step): void {
  const counts = step.counts('dst');
  const [low, high] = [step.over('min', counts), step.over('max', counts)];
  const bits = draw(step, generators(step));
  for (let i = 0; i < bits.length; i++) {
    if (!(low[i] < high[i])) throw new ExecutionError(`${step.row.name}: min ${low[i]} is not below max ${high[i]}`);
    low[i] += (bits[i] >>> 8) * UNIT * (high[i] - low[i]);
  }
  step.write(low);
}

/** Elements become 0 with a probability; the others are not scaled (nki.isa.dropout). */
export function dropout(step: Step): void {
  const counts = step.counts('dst');
  const [data, probability] = inputs(step);
  const values = step.dtype(data) === step.dtype('dst') ? step.exactOver(data, counts) : step.over(data, counts);
  const probabilities = step.over(probability, counts);
  const bits = draw(step, generators(step));
  for (let i = 0; i < values.length; i++) if ((bits[i] >>> 8) * UNIT < probabilities[i]) values[i] = 0;
  step.write(values);
}

/** One 32-bit value for all generators of the Vector engine. */
export function setSeed(step: Step): void {
  const [name] = inputs(step);
  step.random.Vector.seed(step.has(name) ? step.elementsThrough(step.operand(name))[0] : step.number(name));
}

/** Calls `each(words of the generators, position of the partition's first value)`. */
function eachPartition(step: Step, name: string, each: (words: Uint32Array, position: number) => void): void {
  const state = generators(step);
  const first = step.memory.lane(step.operand(name), step.machine.partitions.value);
  const [partitions] = step.counts(name);
  for (let p = 0; p < partitions; p++) {
    const words = state.partition(first(p));
    if (words.length * partitions !== step.elements(name))
      throw new ExecutionError(`${step.row.name}: ${name} needs ${words.length} values per partition on this engine`);
    each(words, p * words.length);
  }
}

export function setRandomState(step: Step): void {
  const values = step.patternsOver('src_seeds', step.counts('src_seeds'));
  eachPartition(step, 'src_seeds', (words, position) => words.set(values.subarray(position, position + words.length)));
}

export function getRandomState(step: Step): void {
  const out = new Uint32Array(step.elements('dst'));
  eachPartition(step, 'dst', (words, position) => out.set(words, position));
  step.write(out);
}
