/**
 * Second wall: the language's own objects cannot be changed while a kernel runs, so code that gets a JavaScript object cannot change
 * anything that other code of this thread uses.
 *
 * `ses` (2.3) was tried instead. The interpreter runs with it, but loading it takes each worker longer than starting all other parts of
 * the interpreter, and it does not protect `WebAssembly`, `Atomics` and shared memory.
 */

/** Own properties of these that are values become accessors: a frozen value could not be shadowed in an object that inherits it, which
 *  code of Node, Emscripten and ours does by plain assignment (`error.name = …`). */
const SHADOWED = [Object, Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError, Function]
  .map(kind => kind.prototype as object)
  .concat(
    Object.getPrototypeOf(async () => {}),
    Object.getPrototypeOf(function* () {}),
    Object.getPrototypeOf(new Map().keys()),
  );

/**
 * Existing properties of these prototypes cannot be changed, but new ones can be added: V8 stores elements of arrays and typed arrays a
 * hundred times slower if one of their prototypes is not extensible (`bench intrinsics`). Functions with access to the disk look up no
 * property that could be added.
 */
const EXTENSIBLE = new Set<unknown>(
  [
    ...[Object, Array, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array],
    ...[Float64Array, BigInt64Array, BigUint64Array, Object.getPrototypeOf(Uint8Array) as typeof Uint8Array],
  ].map(kind => kind.prototype as object),
);

/** Built-in objects that no global name gives access to. */
const HIDDEN = [
  async () => {},
  function* () {},
  async function* () {},
  (function* () {})(),
  (async function* () {})(),
  [].values(),
  new Map().values(),
  new Set().values(),
  ''[Symbol.iterator](),
  'x'.matchAll(/x/g),
].map(value => Object.getPrototypeOf(value) as object);

/** Globals that are not part of the language and that have state of the process. */
const STATEFUL = new Set(['process', 'global', 'globalThis', 'console', 'performance', 'crypto', 'navigator']);

/** Freezes every object of the language, and of Node's globals, that can be reached; then the names of the globals. */
export function freezeIntrinsics(extra: readonly object[] = []) {
  const globals = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>;
  for (const prototype of SHADOWED) makeShadowable(prototype);
  const seen = new Set<unknown>([globalThis]);
  const todo: unknown[] = [...HIDDEN, ...extra];
  for (const [name, { value }] of Object.entries(globals)) if (!STATEFUL.has(name)) todo.push(value);
  while (todo.length > 0) {
    const value = todo.pop();
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    todo.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key);
      if (property) todo.push(property.value, property.get, property.set);
    }
    if (EXTENSIBLE.has(value)) fixProperties(value);
    // elements of typed arrays cannot be frozen
    else if (!ArrayBuffer.isView(value)) Object.freeze(value);
  }
  fixProperties(globalThis);
  // Changed properties made look-ups in them slow. When they become a prototype, V8 optimises their layout again.
  for (const prototype of [...EXTENSIBLE, ...SHADOWED]) Object.setPrototypeOf({}, prototype as object);
}

const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';

function fixProperties(target: object) {
  for (const key of Reflect.ownKeys(target)) {
    const property = Object.getOwnPropertyDescriptor(target, key);
    if (!property?.configurable) continue;
    Object.defineProperty(target, key, { ...property, configurable: false, ...('value' in property && { writable: false }) });
  }
}

function makeShadowable(prototype: object) {
  for (const key of Reflect.ownKeys(prototype)) {
    const property = Object.getOwnPropertyDescriptor(prototype, key);
    if (!property?.configurable || !('value' in property)) continue;
    const { value, enumerable } = property;
    Object.defineProperty(prototype, key, {
      get: () => value,
      set(this: unknown, shadow: unknown) {
        if (this === prototype) throw new TypeError(`${String(key)} is frozen`);
        Object.defineProperty(this, key, { value: shadow, writable: true, enumerable: true, configurable: true });
      },
      enumerable,
      configurable: false,
    });
  }
}
