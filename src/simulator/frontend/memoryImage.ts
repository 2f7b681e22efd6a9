/**
 * An interpreter's memory at a moment of its run, and the way on from there in another interpreter of the same build. Python runs in
 * WebAssembly, so that objects, modules and the state of the interpreter are all in that memory. Files that the run has made in memory,
 * and those that it has open, are not: they are JavaScript's.
 */
import type { Interpreter } from './interpreter';

export interface MemoryImage {
  memory: SharedArrayBuffer;
  stack: number;
}

/** To be called while Python waits for the host. */
export function imageOf({ _module: { HEAPU8, _emscripten_stack_get_current } }: Interpreter): MemoryImage {
  const memory = new SharedArrayBuffer(HEAPU8.length);
  new Uint8Array(memory).set(HEAPU8);
  return { memory, stack: _emscripten_stack_get_current() };
}

/** Makes the interpreter what the other one was. Python runs on top of what it was doing there, which is never gone on with. */
export function becomeImage({ _module }: Interpreter, { memory, stack }: MemoryImage) {
  const image = new Uint8Array(memory);
  // memory grows when it is asked for; what is asked for here is gone with all that was in it
  while (_module.HEAPU8.length < image.length)
    if (_module._malloc(image.length - _module.HEAPU8.length) === 0) throw new Error('no memory');
  const { HEAPU8 } = _module;
  HEAPU8.set(image);
  HEAPU8.fill(0, image.length);
  _module.__emscripten_stack_restore(stack);
  // Python lets go of its lock while it waits for the host
  _module._PyGILState_Ensure();
}
