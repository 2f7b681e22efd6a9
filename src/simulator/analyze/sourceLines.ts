/** Lines of a profile's sources, by path, each with what tells it apart from others with its text. A file is split once. */
import type { AnchorLine } from '../profile/annotations';
import type { Profile } from '../profile/profile';

type Line = Pick<AnchorLine, 'text' | 'above' | 'repeat'>;

const NO_LINE: Line = { text: '', above: '', repeat: 0 };

export class SourceLines {
  private readonly files = new Map<string, Line[]>();

  constructor(private readonly p: Profile) {}

  /** @param line from 1 */
  at(path: string, line: number): Line {
    let known = this.files.get(path);
    if (!known) {
      known = linesOf(this.p.files.find(file => file.path === path)?.text ?? '');
      this.files.set(path, known);
    }
    return known[line - 1] ?? NO_LINE;
  }
}

function linesOf(source: string): Line[] {
  const texts = source.split(/\r\n|\r|\n/).map(line => line.trim());
  const repeats = new Map<string, number>();
  // the last line with code so far; of the first lines, the first one
  let above = '';
  return texts.map((text, k) => {
    const repeat = repeats.get(text) ?? 0;
    repeats.set(text, repeat + 1);
    const line = { text, above, repeat };
    if (text !== '' || k === 0) above = text;
    return line;
  });
}
