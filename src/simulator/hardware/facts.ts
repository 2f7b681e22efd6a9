/**
 * A number or a switch with its unit, where it comes from and how far it can be trusted. Every constant of `hardware/` and of the
 * compiler's policy (`compile/policy.ts`) is one; nothing here interprets them.
 *
 * Sources are short (`costs §3`, `arch v2`, `calibration ins-dve-recip4`): `docs/sources.md` says what each stands for.
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
 * documented: AWS states it; measured: read off a profile of this machine; fitted: chosen so that calibration rows come out right, or read
 * off profiles that show what a compiler did but not why; assumed: none of these, the reason is in `source`.
 */
export type Confidence = 'documented' | 'measured' | 'fitted' | 'assumed';

export interface Fact<Value = number> {
  readonly value: Value;
  readonly unit: Unit;
  readonly source: string;
  readonly confidence: Confidence;
  /** Of what is fitted: the calibration rows (bench/fidelity/rows.json) or profiles that it was read off. */
  readonly rows?: readonly string[];
}

const fact =
  (confidence: Confidence) =>
  <Value = number>(value: Value, unit: Unit, source: string): Fact<Value> => ({ value, unit, source, confidence });

export const documented = fact('documented');
export const measured = fact('measured');
export const assumed = fact('assumed');

export const fitted = <Value = number>(value: Value, unit: Unit, rows: readonly string[], source: string): Fact<Value> => ({
  value,
  unit,
  source,
  confidence: 'fitted',
  rows,
});

export const isFact = (value: unknown): value is Fact<unknown> => typeof value === 'object' && value !== null && 'confidence' in value;
