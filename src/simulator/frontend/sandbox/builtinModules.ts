/**
 * Takes built-in modules out of the interpreter's own table, so that no way of importing finds them: the fence in Python stands before the
 * usual ways only. What a module does is decided by what it imports from JavaScript (`imports.ts`).
 */

/** Of Emscripten's module. */
export interface EmscriptenMemory {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  UTF8ToString(address: number): string;
  /** Address of the address of CPython's table: pairs of a name's address and a function, the last one zero. */
  _PyImport_Inittab: number;
}

const WORD_BYTES = 4;
const ENTRY_BYTES = 2 * WORD_BYTES;
/** In no name: it begins no character of UTF-8. */
const NO_NAME = 0xff;

/** All copies of the table share the names, so these are changed. @returns how many were taken out */
export function removeBuiltinModules(memory: EmscriptenMemory, isRemoved: (name: string) => boolean): number {
  const word = (address: number) => memory.HEAPU32[address / WORD_BYTES];
  let removed = 0;
  for (let entry = word(memory._PyImport_Inittab); word(entry) !== 0; entry += ENTRY_BYTES) {
    const address = word(entry);
    if (!isRemoved(memory.UTF8ToString(address))) continue;
    memory.HEAPU8[address] = NO_NAME;
    removed++;
  }
  return removed;
}
