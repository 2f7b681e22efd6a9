/**
 * A number about the machine with its unit, where it comes from and how far it can be trusted. Every constant of
 * `hardware/` is one; nothing here interprets them.
 *
 * Sources are short: `costs §3` is the published cost model we started from (figures read off raw Trn2 profiles of
 * allenkchau/trainium-kernel-fusion at d709ddf), `arch v2|v3|v4` the NeuronCore architecture guides of aws-neuron-sdk,
 * `isa 1db4d74e` the cycle counts in the docstrings of nki/api/nki/isa at that commit.
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
  | 'fraction'
  | 'count'
  | 'us';

/** documented: AWS states it; measured: read off a profile; assumed: neither, the reason is in `source`. */
export type Confidence = 'documented' | 'measured' | 'assumed';

export interface Fact {
  readonly value: number;
  readonly unit: Unit;
  readonly source: string;
  readonly confidence: Confidence;
}

const fact =
  (confidence: Confidence) =>
  (value: number, unit: Unit, source: string): Fact => ({ value, unit, source, confidence });

export const documented = fact('documented');
export const measured = fact('measured');
export const assumed = fact('assumed');
