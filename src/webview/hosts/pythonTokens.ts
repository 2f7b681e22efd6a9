/**
 * Python text in coloured pieces, line by line, for reading: comments, strings, numbers, keywords, names that are called or defined.
 * It need not be right about everything (`match` as a name); whatever the text is, the pieces together are the text.
 */

export type TokenKind = 'comment' | 'string' | 'number' | 'keyword' | 'call' | 'decorator' | 'plain';

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** What may stand at a place, in the order in which it is tried. The last takes one character of anything else. */
const PIECE =
  /(?<comment>#.*)|(?<string>[rbfuRBFU]{0,2}(?:"""|'''|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?))|(?<number>\b\d[\w.]*)|(?<decorator>^\s*@[\w.]+)|(?<name>[A-Za-z_]\w*)|(?<other>\s+|[^\w\s#"'@]+|.)/y;

/** A triple quote that is open goes on in the next line. */
export function pythonTokens(lines: readonly string[]): Token[][] {
  let open: string | null = null;
  return lines.map(line => {
    const tokens: Token[] = [];
    let at = 0;
    while (at < line.length) {
      if (open !== null) {
        const end: number = line.indexOf(open, at);
        const to = end < 0 ? line.length : end + open.length;
        tokens.push({ kind: 'string', text: line.slice(at, to) });
        if (end >= 0) open = null;
        at = to;
        continue;
      }
      PIECE.lastIndex = at;
      const groups = PIECE.exec(line)!.groups!;
      const text = line.slice(at, PIECE.lastIndex);
      tokens.push({ kind: kindOf(groups, line, PIECE.lastIndex), text });
      at = PIECE.lastIndex;
      if (groups.string && /("""|''')$/.test(text) && !/^\w*(""""""|'''''')$/.test(text)) open = text.slice(-3);
    }
    return tokens;
  });
}

function kindOf(groups: Record<string, string | undefined>, line: string, endAt: number): TokenKind {
  if (groups.name !== undefined) return KEYWORDS.has(groups.name) ? 'keyword' : line[endAt] === '(' ? 'call' : 'plain';
  for (const kind of ['comment', 'string', 'number', 'decorator'] as const) if (groups[kind] !== undefined) return kind;
  return 'plain';
}
