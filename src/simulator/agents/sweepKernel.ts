/** `sweep`: a kernel with many settings, each timed; the fastest are told. */
import type { SweepDescription } from '../variants/description';
import { fastest, headTexts, rowJson, rowTexts, type VariantRow } from '../variants/table';
import { DEFAULT_ROWS } from './profileText';
import type { ToolAnswer, ToolHost } from './tool';
import { ToolError } from './toolError';

type Described = Pick<SweepDescription, 'args' | 'set'>;

interface AskedSweepTool extends Described {
  file: string;
  kernel?: string;
  target?: string;
  where?: string;
  sample?: number;
  top?: number;
}

export async function sweepKernel(asked: AskedSweepTool, host: ToolHost, signal: AbortSignal): Promise<ToolAnswer> {
  const { file, kernel, args, set, target, where, sample, top = DEFAULT_ROWS } = asked;
  const description: SweepDescription = {
    ...(args && { args }),
    ...(set && { set }),
    ...(target && { target }),
    ...(where && { where: [where] }),
    ...(sample && { sample: { count: sample } }),
  };
  const rows = await host.sweep({ file, kernel }, description, signal);
  if (signal.aborted)
    throw new ToolError('Cancelled', 'the sweep was stopped', { next: 'The same call goes on with the points that are left.' });
  const sorted = [...rows].sort((a, b) => (a.totalTimeNs ?? Infinity) - (b.totalTimeNs ?? Infinity) || a.index - b.index);
  const failed = rows.filter(row => row.error !== null).length;
  return {
    data: { points: rows.length, failed, rows: sorted.slice(0, top).map(rowJson) },
    text: [`${rows.length} points, ${failed} of them do not run. The fastest:`, ...tableText(sorted.slice(0, top))].join('\n'),
  };
}

function tableText(rows: readonly VariantRow[]): string[] {
  const best = fastest(rows);
  const names = Object.keys(rows[0]?.parameters ?? {});
  return [headTexts(names), ...rows.map(row => rowTexts(row, best))].map(cells => cells.join(' | '));
}
