/**
 * Removes built-in modules from the interpreter's own table, so that no kind of import finds them. (The fence in Python covers the usual
 * kinds only.) What a module can do depends on its imports from JavaScript (`imports.ts`).
 */

/** The memory of Emscripten's module, in two views. */
export interface EmscriptenMemory {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  UTF8ToString(address: number): string;
  /** Address of the address of CPython's table: pairs of a name's address and a function, the last one zero. */
  _PyImport_Inittab: number;
}

const WORD_BYTES = 4;
const ENTRY_BYTES = 2 * WORD_BYTES;
/** A byte that starts no UTF-8 character, so it occurs in no name. */
const NO_NAME = 0xff;

/** Overwrites the names, because all copies of the table share them. @returns the number of removed modules */
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
