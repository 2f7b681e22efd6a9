/**
 * The inputs that a test, or another script, calls a kernel with: `kernel(np.zeros((128, 512), dtype=np.float32), 4)`, and names that are
 * assigned such arrays before. Reads text; what it does not understand it leaves out. Pure.
 */
import type { KernelInfo } from '../../simulator/index';
import { dtypeWord } from './dtypeWord';

/** Longer ones are no calls that somebody typed. */
const MOST_CHARACTERS = 2000;

/** By parameter, as one would type it; null where the text does not call the kernel with anything that can be read. */
export function callOf(text: string, kernel: string, params: KernelInfo['params']): Map<string, string> | null {
  const call = new RegExp(`(?<!def\\s+|[\\w.])${kernel}(?:\\[[^\\]]*\\])?\\(`, 'g');
  for (let match = call.exec(text); match; match = call.exec(text)) {
    const written = argumentsFrom(text, call.lastIndex);
    const found = new Map<string, string>();
    for (const [index, argument] of written.entries()) {
      const named = /^(\w+)\s*=(?!=)\s*([\s\S]*)$/.exec(argument);
      const name = named ? named[1] : params[index]?.name;
      const value = inputOf(named ? named[2] : argument, text.slice(0, match.index));
      if (name !== undefined && value !== undefined && params.some(param => param.name === name)) found.set(name, value);
    }
    if (found.size > 0) return found;
  }
  return null;
}

/** Split at commas outside of brackets and strings, up to the bracket that closes the call. */
function argumentsFrom(text: string, from: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let begin = from;
  let quote = '';
  for (let at = from; at < Math.min(text.length, from + MOST_CHARACTERS); at++) {
    const sign = text[at];
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign) && depth-- === 0)
      return [...found, text.slice(begin, at)].map(word => word.trim()).filter(word => word !== '');
    else if (sign === ',' && depth === 0) {
      found.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return [];
}

/** @param before the text above the call, for names that are assigned there */
function inputOf(expression: string, before: string): string | undefined {
  const text = expression.trim();
  if (/^-?\d+(\.\d+)?(e-?\d+)?$/.test(text)) return text;
  if (/^(True|False|None)$/.test(text)) return { True: 'true', False: 'false', None: 'null' }[text];
  if (/^\w+$/.test(text)) {
    const assigned = [...before.matchAll(new RegExp(`^[ \\t]*${text}\\s*=(?!=)\\s*(.+)$`, 'gm'))].at(-1);
    return assigned && assigned[1].trim() !== text ? (arrayOf(assigned[1]) ?? literal(assigned[1])) : undefined;
  }
  return arrayOf(text);
}

const literal = (text: string) => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? text.trim() : undefined);

/** `np.random.rand(128, 512).astype(np.float32)`, `torch.zeros((128, 512), dtype=torch.bfloat16)`. */
function arrayOf(expression: string): string | undefined {
  const shape = /\(\s*[([]?\s*(\d+(?:\s*,\s*\d+)*)\s*,?\s*[)\]]?/.exec(
    expression.replace(/(?:RandomState|default_rng|seed)\(\s*\d*\s*\)/g, 'generator'),
  );
  if (!shape || !/\b(zeros|ones|empty|full|rand|randn|random|standard_normal|normal|uniform|random_sample)\b/.test(expression))
    return undefined;
  const dtype = [...expression.matchAll(/\b(?:np|numpy|torch|nl|jnp|ml_dtypes)\.(\w+)/g)]
    .flatMap(([, word]) => dtypeWord(word) ?? [])
    .at(-1);
  return `${dtype ?? 'float32'}[${shape[1].replace(/\s/g, '')}]`;
}
