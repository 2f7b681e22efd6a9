/**
 * Multiply-and-add in one WebAssembly instruction (relaxed SIMD): V8 has it by default from 11.4 on. V8 11.3 of Node 20 needs a flag.
 * `execute/wasm/matmul.ts` uses it if it is available, and computes the same numbers without it.
 */
import v8 from 'node:v8';

const FIRST_WITHOUT_FLAG = 11.4;

export function allowRelaxedSimd() {
  if (Number.parseFloat(process.versions.v8) < FIRST_WITHOUT_FLAG) v8.setFlagsFromString('--experimental-wasm-relaxed-simd');
}
