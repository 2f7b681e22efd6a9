/**
 * A fact: a number or a switch with its unit, source and confidence. Every constant of `hardware/` and of the compiler's policy
 * (`compile/policy.ts`) is a fact. This file does not interpret them.
 *
 * Sources are short (`costs §3`, `arch v2`, `calibration ins-dve-recip4`): `docs/sources.md` explains each.
 */

export type Unit =
  | 'ns'
  | 'cycles'
  | 'GHz'
  | 'bytes'
  | 'bytes/ns'
  | 'bytes/s'
  | 'FLOP/s'
  | 'elements'
  | 'elements/cycle'
  | 'instructions'
  | 'fraction'
  | 'count'
  | 'us'
  /** One of several names, or yes and no. */
  | 'choice';

/**
 * documented: AWS states it; measured: read from a profile of this machine; fitted: chosen so that calibration rows come out right, or
 * read from profiles that show what a compiler did but not why; assumed: none of these, with the reason in `source`.
 */
export type Confidence = 'documented' | 'measured' | 'fitted' | 'assumed';

export interface Fact<Value = number> {
  readonly value: Value;
  readonly unit: Unit;
  readonly source: string;
  readonly confidence: Confidence;
  /** Rows of `bench/fidelity/` that a measured or fitted value was read from: kernels, single instructions, recordings. */
  readonly rows?: readonly string[];
}

const fact =
  (confidence: Confidence) =>
  <Value = number>(value: Value, unit: Unit, source: string): Fact<Value> => ({ value, unit, source, confidence });

export const documented = fact('documented');
export const assumed = fact('assumed');

const factOfRows =
  (confidence: Confidence) =>
  <Value = number>(value: Value, unit: Unit, rows: readonly string[], source: string): Fact<Value> => ({
    ...{ value, unit, source, confidence },
    rows,
  });

export const measured = factOfRows('measured');
export const fitted = factOfRows('fitted');

export const isFact = (value: unknown): value is Fact<unknown> => typeof value === 'object' && value !== null && 'confidence' in value;
