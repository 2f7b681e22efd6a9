/**
 * Limits the text that a script prints (in an endless loop, for example), so that it cannot fill the memory of the program that shows it.
 */

type Emit = (text: string, stream: 'stdout' | 'stderr') => void;

/** Characters of both streams together. Editors become slow only with more. */
const MOST = 8 * 2 ** 20;

/** Passes text on up to the limit; then passes on one message about the limit. */
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
