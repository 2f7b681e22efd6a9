/** Parameter lists that many functions of `nki.language` share, by dialect. */
import type { Dialect } from '../../types';

type Signature = Partial<Record<Dialect, string>>;

/** `(x, dtype=None)` in today's dialect; keyword-only with `mask` in the legacy one. */
export const unary: Signature = { nki: '(x, dtype=None)', neuronxcc: '(x, *, dtype=None, mask=None, **kwargs)' };
export const binary: Signature = { nki: '(x, y, dtype=None)', neuronxcc: '(x, y, *, dtype=None, mask=None, **kwargs)' };
export const reduction: Signature = {
  nki: '(x, axis, dtype=None, keepdims=False)',
  neuronxcc: '(x, axis, *, dtype=None, mask=None, keepdims=False, **kwargs)',
};
