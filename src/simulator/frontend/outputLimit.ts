/** Cuts what a script prints, in an endless loop for example, before it fills the memory of the program that shows it. */

type Emit = (text: string, stream: 'stdout' | 'stderr') => void;

/** Characters of both streams together: more than anybody reads, and less than what makes an editor slow. */
const MOST = 8 * 2 ** 20;

/** Passes text on until there is too much of it; then says so, once. */
export function limitedOutput(emit: Emit, most = MOST): Emit {
  let left = most;
  return (text, stream) => {
    if (left < 0) return;
    left -= text.length;
    if (left >= 0) return emit(text, stream);
    emit(text.slice(0, text.length + left), stream);
    emit(`\n[NKI Scope: the script printed more than ${most.toLocaleString('en')} characters; the rest is not shown]\n`, 'stderr');
  };
}
