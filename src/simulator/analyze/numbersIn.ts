/** Where the numbers of a sentence are, so that each can be made a link to what it came from. No meaning, no links. */

/** With its unit; not a digit of a name such as `bf16`, nor a version of NKI. */
const NUMBER = /(?<![\w.]|NKI )[−+±-]?\d+(?:[\u202f,.]\d+)*(?:[x×]\d+)*(?:\s(?:%|[nµm]?s\b|[KMGT]i?B(?:\/s)?\b|B\b|[GTP]FLOP\/s))?(?!\w)/gu;

/** Offsets in characters, in order. */
export const numbersIn = (text: string): { from: number; to: number }[] =>
  [...text.matchAll(NUMBER)].map(({ index: from, 0: { length } }) => ({ from, to: from + length }));
