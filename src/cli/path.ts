/** `path`: the critical path to be read, and what it becomes when the hottest line is mended. */
import nodePath from 'node:path';
import {
  modelledChangeText,
  type NextPath,
  type PathOfProfile,
  type PathReport,
  percentText,
  piecesText,
  type ShownPiece,
  stallShort,
  timeText,
} from '../simulator/index';
import { alignedTable } from './alignedTable';
import type { CliCommand } from './context';
import { EXIT } from './errors';
import { jsonText } from './jsonText';
import { fit } from './linesTable';
import { readOptions } from './options';
import { PROFILE_HELP, PROFILE_OPTIONS, profileToRead } from './profileToRead';
import { readIn } from './reading';

export const path: CliCommand = {
  summary: 'the critical path: what repeats, by resource and line, and the next one',
  help: `nki-scope path FILE.py|-s FILE.nkiprof [--json]

The chain of events that decides the kernel's time, with what repeats folded: 24 × (load x → ACTIVATE EXP → store y). Below it stand its shares by
engine, wait and line, how many events have no slack, and the path that is left when the hottest line is free.

${PROFILE_HELP}
  --json                    {body_ns, path, resources, waits, lines, slack: {events, without}, next: {mended, time_ns, …}}

  nki-scope path -s softmax.nkiprof
`,
  async run(argv, context) {
    const parsed = readOptions('path', argv, { ...PROFILE_OPTIONS, json: { type: 'boolean' } });
    const source = await profileToRead('path', parsed, context);
    const found = await readIn(context, 'path', { sources: [source] });
    context.terminal.out(parsed.values.json === true ? jsonText(foundJson(found)) : foundText(found));
    return EXIT.done;
  },
};

function foundJson({ slack, next, whyNoNext, ...report }: PathOfProfile): Record<string, unknown> {
  return {
    ...reportJson(report),
    slack,
    next: next && { mended: next.mended, time_ns: next.timeNs, delta_percent: 100 * next.deltaShare, ...reportJson(next) },
    ...(whyNoNext && { why_no_next: whyNoNext }),
  };
}

const reportJson = ({ bodyNs, pieces, parts, lines }: PathReport) => ({
  body_ns: bodyNs,
  path: pieces.map(pieceJson),
  resources: parts.filter(part => part.kind === 'run').map(({ name, ns, share }) => ({ name, ns, share })),
  waits: parts.filter(part => part.kind === 'wait').map(({ name, ns, share }) => ({ name, ns, share })),
  lines: lines.map(({ file, line, text, timeNs, share }) => ({ file, line, text, time_ns: timeNs, share })),
});

function pieceJson(piece: ShownPiece): Record<string, unknown> {
  if ('steps' in piece) return { other_steps: piece.steps, time_ns: piece.ns };
  if ('times' in piece) return { times: piece.times, time_ns: piece.ns, path: piece.pieces.map(pieceJson) };
  const { name, resource, file, line, ns, waitsNs } = piece;
  return { name, resource, file, line, time_ns: ns, waits_ns: waitsNs };
}

const SOURCE_COLUMNS = 56;
const MOST_LINES = 8;

function foundText({ slack, next, whyNoNext, ...report }: PathOfProfile): string {
  return [
    ...reportText(report),
    `Slack: ${slack.without} of ${slack.events} events have none: each delay of one delays the kernel.\n`,
    ...(next ? nextText(next) : [`The next path: ${whyNoNext ?? 'no line has time of its own'}.\n`]),
  ].join('\n');
}

function nextText(next: NextPath): string[] {
  const { file, line } = next.mended;
  const change = `${timeText(next.timeNs)} in all, ${modelledChangeText(next.deltaShare)}`;
  return [`When ${nodePath.basename(file)}:${line} is free: ${change}. The path is then`, ...reportText(next)];
}

function reportText({ bodyNs, pieces, parts, lines }: PathReport): string[] {
  const part = (kind: string) =>
    parts
      .filter(({ kind: own, share }) => own === kind && share >= 0.0005)
      .map(({ name, share }) => `${name} ${percentText(share)}`)
      .join(', ') || 'nothing';
  const oneFile = new Set(lines.map(({ file }) => file)).size === 1;
  const rows = lines
    .slice(0, MOST_LINES)
    .map(({ file, line, text, timeNs, share }) => [
      percentText(share),
      timeText(timeNs),
      oneFile ? String(line) : `${nodePath.basename(file)}:${line}`,
      fit(text, SOURCE_COLUMNS),
    ]);
  return [
    `${timeText(bodyNs)}: ${piecesText(pieces)}\n`,
    pieceTable(pieces, bodyNs),
    `Runs:   ${part('run')}`,
    `Waits:  ${part('wait')}`,
    '',
    ...(rows.length > 0 ? [alignedTable(rows, 0)] : []),
  ];
}

function pieceTable(pieces: readonly ShownPiece[], bodyNs: number): string {
  const rows: string[][] = [];
  const add = (piece: ShownPiece, depth: number, times = 1) => {
    const indent = '  '.repeat(depth);
    const cells = [percentText(piece.ns / bodyNs).padStart(6), timeText(piece.ns).padStart(8)];
    if ('steps' in piece) rows.push([...cells, `${indent}${piece.steps} other steps`, '', '']);
    else if ('times' in piece && piece.pieces.length === 1) add({ ...piece.pieces[0], ns: piece.ns }, depth, piece.times);
    else if ('times' in piece) {
      rows.push([...cells, `${indent}${times > 1 ? `${times} × ` : ''}${piece.times} ×`, '', '']);
      for (const inner of piece.pieces) add(inner, depth + 1);
    } else {
      const waits = Object.entries(piece.waitsNs).map(([reason, ns]) => `${stallShort(reason as never)} ${timeText(ns)}`);
      const where = piece.line > 0 ? `${nodePath.basename(piece.file)}:${piece.line}` : '';
      rows.push([
        ...cells,
        `${indent}${times > 1 ? `${times} × ` : ''}${piece.name}`,
        where,
        waits.length > 0 ? `waits: ${waits.join(', ')}` : '',
      ]);
    }
  };
  for (const piece of pieces) add(piece, 0);
  return rows.length > 0 ? alignedTable(rows, 5) : '';
}
