/** The dtype that a dotted Python name ends with, as an input is typed: `np.float32` is `float32`; undefined where it is none. Pure. */
import { parseArgument } from '../../simulator/index';

export function dtypeWord(dotted: string): string | undefined {
  const word = dotted.split('.').at(-1)!;
  try {
    return parseArgument(`${word}[1]`).kind === 'tensor' ? word : undefined;
  } catch {
    return undefined;
  }
}
