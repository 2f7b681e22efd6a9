/**
 * The functions of the host that decide on paths, called in a realm whose prototypes a kernel has poisoned: whatever the methods of
 * JavaScript answer, nothing outside of the folder is read or written. Needs no interpreter: a small file system of Emscripten's shape.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { EmscriptenFs, FsAttributes, FsNode, FsStream, StreamOps } from '../../../src/simulator/frontend/emscripten';
import { mountReadOnly } from '../../../src/simulator/frontend/readOnlyFs';
import { temporaryFolder } from '../../support/temporary';

const SECRET = 'canary-of-the-host';
const IS_FOLDER = 0o040000;
const O_RDONLY = 0;

/** One property of an intrinsic, and what stands there instead. */
interface Poison {
  name: string;
  target: object;
  key: PropertyKey;
  value: unknown;
}

type Root = FsNode & { node_ops: { lookup(parent: FsNode, name: string): FsNode; getattr(node: FsNode): FsAttributes } };

describe('poisoned prototypes', () => {
  const folder = temporaryFolder();
  let root: Root;
  let poisons: Poison[] = [];

  before(() => {
    folder.write('outside/secret.txt', SECRET);
    folder.write('outside/target.nkiprof', SECRET);
    folder.write('space/kernel.py', 'harmless');
    folder.write('space/sub/plain.txt', 'harmless');
    fs.symlinkSync('../outside/secret.txt', folder.path('space/link-file'));
    fs.symlinkSync('../outside', folder.path('space/link-folder'));
    const overlay = new Map([[folder.path('space/unsaved.py'), 'harmless']]);
    root = mounted(folder.path('space'), overlay);
    poisons = poisonsOf(folder.path('outside/secret.txt'));
  });

  it('are many', () => assert.ok(poisons.length > 500, `${poisons.length}`));

  it('can be told from whole ones: a replaced method is called', () => {
    const [seen] = under([{ name: '', target: Array.prototype, key: 'reverse', value: () => ['seen'] }], () => [1].reverse());
    assert.equal(seen, 'seen');
  });

  it('do not lead the mounted folder out, one at a time', () => {
    const sets = poisons.filter(({ target }) => target !== path).map(poison => [poison]);
    assert.deepEqual(escaping(sets), []);
  });

  it('nor do functions of node:path, which call one another by name', () => {
    const sets = poisons.filter(({ target }) => target === path).map(poison => [poison]);
    assert.deepEqual(escaping(sets), []);
  });

  it('do not lead it out in pairs with one that blinds the check of paths', () => {
    const blinding = poisons.filter(
      ({ key, value }) => ['startsWith', 'test', 'exec'].includes(String(key)) && (value as () => unknown)() === false,
    );
    assert.ok(blinding.length > 0);
    const pairs = blinding.flatMap(blind => poisons.filter(poison => poison.key !== blind.key).map(poison => [blind, poison]));
    // thousands when they do: the first say enough
    assert.deepEqual(escaping(pairs).slice(0, 5), []);
  });

  it('do not lend a descriptor of the process to a folder', () => {
    const hostFd = fs.openSync(folder.path('outside/secret.txt'), 'r');
    const poison = { name: 'hostFd', target: Object.prototype, key: 'hostFd', value: hostFd };
    const content = under([poison], () => attempt(() => contentOf(root)));
    assert.doesNotMatch(content, new RegExp(SECRET));
    assert.doesNotThrow(() => fs.closeSync(hostFd), 'it was closed for the process');
  });

  /** Those of the given sets of poison under which a secret was read. */
  function escaping(sets: Poison[][]): string[] {
    const nodes = [
      ['kernel.py'],
      ['link-file'],
      ['link-folder', 'secret.txt'],
      ['..', 'outside', 'secret.txt'],
      ['sub', '..', '..', 'outside', 'secret.txt'],
    ];
    const readsOut = () => {
      // no method is called here: it could be the poisoned one
      for (let k = 0; k < nodes.length; k++) if (attempt(() => contentOf(nodeAt(root, nodes[k]))) === SECRET) return true;
      return false;
    };
    return sets.filter(set => under(set, readsOut)).map(set => set.map(({ name }) => name).join(' and '));
  }
});

/** The root of a mount, with Emscripten's own objects as plain as they can be. */
function mounted(folder: string, overlay: ReadonlyMap<string, string>): Root {
  let [root, ids] = [null as Root | null, 0];
  const emscripten = {
    ErrnoError: class extends Error {},
    mkdirTree() {},
    mount: (type: { mount(): Root }) => {
      root = type.mount();
      return root;
    },
    createNode(parent: FsNode | null, name: string, mode: number) {
      const node = { id: ++ids, name, mode } as FsNode;
      node.parent = parent ?? node;
      return node;
    },
    isDir: (mode: number) => (mode & 0o170000) === IS_FOLDER,
  };
  mountReadOnly(emscripten as unknown as EmscriptenFs, { folder, overlay }, '/space');
  return root!;
}

/** As Emscripten walks: it asks for one name after another, `..` among them when it is given no other. */
function nodeAt(root: Root, names: string[]): FsNode {
  let node: FsNode = root;
  for (let k = 0; k < names.length; k++) node = root.node_ops.lookup(node, names[k]);
  return node;
}

function contentOf(node: FsNode): string {
  const stream = { node, flags: O_RDONLY, position: 0 } as FsStream;
  const operations: StreamOps = node.stream_ops;
  const buffer = new Int8Array(100);
  operations.open!(stream);
  try {
    const size = operations.read!(stream, buffer, 0, buffer.length, 0);
    return Buffer.from(buffer.buffer, 0, size).toString('latin1');
  } finally {
    operations.close!(stream);
  }
}

/** Every refusal is as good as another. */
function attempt(call: () => string): string {
  try {
    return call();
  } catch {
    return 'refused';
  }
}

/** What `call` gives while the poisons are in place. Synchronous: nobody else runs meanwhile. */
function under<T>(set: Poison[], call: () => T): T {
  const { getOwnPropertyDescriptor, defineProperty } = Object;
  const { deleteProperty } = Reflect;
  const kept: (PropertyDescriptor | undefined)[] = [];
  for (let k = 0; k < set.length; k++) {
    kept[k] = getOwnPropertyDescriptor(set[k].target, set[k].key);
    defineProperty(set[k].target, set[k].key, { value: set[k].value, writable: true, configurable: true });
  }
  try {
    return call();
  } finally {
    for (let k = set.length - 1; k >= 0; k--) {
      const before = kept[k];
      if (before) defineProperty(set[k].target, set[k].key, before);
      else deleteProperty(set[k].target, set[k].key);
    }
  }
}

interface Place {
  target: object;
  key: PropertyKey;
}

function methodsOf(targets: object[]): Place[] {
  return targets.flatMap(target =>
    Reflect.ownKeys(target)
      .filter(key => key !== 'constructor')
      .filter(key => {
        const property = Object.getOwnPropertyDescriptor(target, key);
        return property?.configurable && typeof property.value === 'function';
      })
      .map(key => ({ target, key })),
  );
}

function replaced({ target, key }: Place, value: unknown): Poison {
  const of = target === path ? 'path' : ((target.constructor as { name?: string } | undefined)?.name ?? 'Reflect');
  return { name: `${of}.${String(key)} gives ${JSON.stringify(value)}`, target, key, value: () => value };
}

/** Every method that such code could call, with each of some answers. */
function poisonsOf(secret: string): Poison[] {
  const prototypes = [Array, String, Object, Map, Set, RegExp, Promise, Function, Uint8Array, Error, Number].map(
    ({ prototype }) => prototype as object,
  );
  const iterators = [[][Symbol.iterator](), new Map().keys()].map(iterator => Object.getPrototypeOf(iterator) as object);
  const names = ['..', 'outside', 'secret.txt'];
  const values = [true, false, '', secret, '../outside/secret.txt', 'kernel.py', names, names.toReversed(), 0, undefined, { done: true }];
  const typedArrays = Object.getPrototypeOf(Uint8Array.prototype) as object;
  const at = methodsOf([...prototypes, typedArrays, ...iterators, path, Reflect, Object]);
  return at.flatMap(place => values.filter(value => endsSafely(place, value)).map(value => replaced(place, value)));
}

/** An iterator that is never done hangs whoever walks it, and Node ends itself over a path that is no text: neither tells of paths. */
function endsSafely({ target, key }: Place, value: unknown): boolean {
  if (key === 'next') return typeof value === 'object' && 'done' in value!;
  return target !== path || typeof value === 'string';
}
