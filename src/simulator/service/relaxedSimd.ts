/**
 * Multiply-and-add in one WebAssembly instruction (relaxed SIMD): what V8 has by default from 11.4 on, Node 20's 11.3 has
 * under a flag. `execute/wasm/matmul.ts` uses it when it is there, and gives the same numbers without it.
 */
import v8 from 'node:v8';

const FIRST_WITHOUT_FLAG = 11.4;

export function allowRelaxedSimd() {
  if (Number.parseFloat(process.versions.v8) < FIRST_WITHOUT_FLAG) v8.setFlagsFromString('--experimental-wasm-relaxed-simd');
}
