/** The example kernels of the repository. */
import fs from 'node:fs';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

export const EXAMPLES = path.join(NKI_SCOPE_ROOT, 'examples');

/** Files with a kernel, relative to `EXAMPLES`, sorted. A program that works on a kernel is none. */
export const exampleFiles = (): string[] =>
  fs
    .readdirSync(EXAMPLES, { recursive: true })
    .map(name => String(name).replaceAll('\\', '/'))
    .filter(name => name.endsWith('.py') && /^(import|from) (nki|neuronxcc)\b/m.test(fs.readFileSync(path.join(EXAMPLES, name), 'utf8')))
    .sort();
