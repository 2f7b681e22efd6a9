/** Worker of `walls.test.ts`: starts an interpreter behind some of the walls and tells what an attack gets. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Interpreter, runPython, startInterpreter, type Wall } from '../../../src/simulator/frontend/interpreter';

export interface WallTask {
  dist: string;
  walls: Wall[];
  /** Python that sets `loot`. Absent: `changeable` is asked for instead. */
  attack?: string;
}

export interface WallAnswer {
  /** What Python got, as text; empty for nothing. */
  loot: string;
  /** What ended the interpreter. */
  refused: string;
  /** Objects of the language whose properties can be changed. */
  changeable: string[];
  /** Python ran afterwards. */
  works: boolean;
}

type WithFiles = Interpreter & { FS: { readFile(path: string, options: object): string; writeFile(path: string, text: string): void } };

const { dist, walls, attack } = workerData as WallTask;
const interpreter = (await startInterpreter(dist, walls)) as WithFiles;
const answer: WallAnswer = { loot: '', refused: '', changeable: [], works: false };
if (attack === undefined) answer.changeable = changeable();
else
  try {
    interpreter.FS.writeFile('/tmp/loot', '');
    runPython(interpreter, `loot = None\ntry:\n${indented(attack)}\nfinally:\n    loot and open("/tmp/loot", "w").write(repr(loot))`);
  } catch (error) {
    answer.refused = String(error);
  }
answer.loot = attack === undefined ? '' : interpreter.FS.readFile('/tmp/loot', { encoding: 'utf8' });
answer.works = answer.refused === '' && runPython(interpreter, 'import json; assert json.loads("[1, 2]") == [1, 2]');
parentPort?.postMessage(answer);

function indented(code: string): string {
  return code.replace(/^/gm, '    ');
}

/** Names of properties of the language's objects that can be written or removed. */
function changeable(): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>([globalThis]);
  const names = [
    'Object',
    'Array',
    'String',
    'Number',
    'Function',
    'RegExp',
    'Map',
    'Set',
    'WeakMap',
    'Promise',
    'Symbol',
    'Reflect',
    'JSON',
  ];
  const more = [
    'Error',
    'TypeError',
    'Uint8Array',
    'Float32Array',
    'DataView',
    'ArrayBuffer',
    'SharedArrayBuffer',
    'Atomics',
    'Math',
    'Date',
  ];
  const todo: [string, unknown][] = [...names, ...more, 'WebAssembly', 'TextDecoder', 'Buffer', 'Proxy'].map(name => [
    name,
    (globalThis as Record<string, unknown>)[name],
  ]);
  todo.push(['generator', Object.getPrototypeOf(function* () {})], ['iterator', Object.getPrototypeOf([].values())]);
  while (todo.length > 0) {
    const [name, value] = todo.pop()!;
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || ArrayBuffer.isView(value))
      continue;
    seen.add(value);
    todo.push([`${name}.__proto__`, Object.getPrototypeOf(value)]);
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key)!;
      // the length of Array.prototype says nothing of any other array
      if ((property.configurable || property.writable) && !(value === Array.prototype && key === 'length'))
        found.push(`${name}.${String(key)}`);
      todo.push([`${name}.${String(key)}`, property.value]);
    }
  }
  return found;
}
