/** A first sweep of a file, to begin with. Pure. */
import { type KernelCase, moduleConstants, type SweepDescription } from '../../simulator/index';

/** Half and twice of each constant that is a whole number; without any, the targets. */
export function firstSweep(text: string, kernel: string | undefined, known: KernelCase | undefined): SweepDescription {
  const numbers = moduleConstants(text).flatMap(({ name, from, to }) =>
    /^\d+$/.test(text.slice(from, to)) ? [[name, Number(text.slice(from, to))] as const] : [],
  );
  const set = Object.fromEntries(
    numbers.map(([name, value]) => [name, [...new Set([Math.max(1, Math.floor(value / 2)), value, 2 * value])]]),
  );
  return {
    ...(kernel !== undefined && known && { kernel, args: known.args }),
    ...(numbers.length > 0 ? { set } : { target: ['trn1', 'trn2', 'trn3'] }),
  };
}
