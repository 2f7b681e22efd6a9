/** Tensors as people type them: dtypes by their short names, shapes in brackets. Reading such texts is `service/arguments.ts`. */

/** float32: f32, fp32. bfloat16: bf16. uint8: u8. float8_e4m3: f8_e4m3, fp8_e4m3. */
export function shortNames(name: string): string[] {
  const parts = /^(tfloat|bfloat|float|uint|int)(\d+.*)$/.exec(name);
  if (!parts) return [];
  const letters: Record<string, string[]> = { float: ['f', 'fp'], bfloat: ['bf'], tfloat: ['tf'], int: ['i'], uint: ['u'] };
  return letters[parts[1]].map(letter => letter + parts[2]);
}

/** `f32[128,512]` */
export function tensorText({ dtype, shape }: { dtype: string; shape: readonly number[] }): string {
  return `${shortNames(dtype)[0] ?? dtype}[${shape.join(',')}]`;
}
