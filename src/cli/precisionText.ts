/** How far values are off: by line, and of the outputs, as text and as JSON. */
import path from 'node:path';
import type { CaptureRun, OutputErrors, PrecisionLine } from '../simulator/index';
import { alignedTable } from './alignedTable';
import { fit } from './linesTable';

type Measured = Pick<CaptureRun, 'precision' | 'references'>;

const SOURCE_COLUMNS = 48;

export function precisionText({ precision, references }: Measured): string {
  return [
    ...(precision ? [linesText(precision.lines), outputsText(precision.outputs)] : []),
    ...(references ? [outputsText(references)] : []),
  ].join('');
}

function linesText(lines: readonly PrecisionLine[]): string {
  if (lines.length === 0) return 'No line writes floats.\n';
  const worst = lines.reduce((a, b) => (lostBy(b) > lostBy(a) ? b : a));
  const rows = lines.map(line => [
    `${path.basename(line.file)}:${line.line}`,
    fit(line.text, SOURCE_COLUMNS).trimEnd(),
    line.read === null ? '' : errorText(line.read),
    errorText(line.written),
    line === worst && lostBy(worst) > 0 ? `loses most${line.iteration && ` (${line.iteration})`}` : '',
  ]);
  const head = 'Relative error against double precision, of what a line reads and of what it writes\n';
  return `${head}${alignedTable([['line', 'source', 'reads', 'writes', ''], ...rows], 2)}`;
}

/** What its result is further off than what it was given. */
const lostBy = ({ read, written }: PrecisionLine) => written - (read ?? 0);

function outputsText(outputs: readonly OutputErrors[]): string {
  return outputs
    .map(({ name, against, relative, largest, meanSquared, cosine, notFinite }) => {
      const odd = notFinite > 0 ? `; ${notFinite} elements are finite in one of the two only` : '';
      const errors = `relative error ${errorText(relative)}, largest error ${errorText(largest)}, mean squared error ${errorText(meanSquared)}`;
      return `Output ${name} against ${path.basename(against)}: ${errors}, cosine ${cosine.toFixed(9)}${odd}\n`;
    })
    .join('');
}

const errorText = (error: number) => (error === 0 ? '0' : error.toExponential(1));

export const precisionJson = ({ precision, references }: Measured) => ({
  ...(precision && { precision: { lines: precision.lines.map(lineJson), outputs: precision.outputs.map(outputJson) } }),
  ...(references && { references: references.map(outputJson) }),
});

const lineJson = ({ read, written, ...line }: PrecisionLine) => ({ ...line, read_error: read, written_error: written });

const outputJson = ({ name, against, relative, largest, meanSquared, cosine, notFinite }: OutputErrors) => ({
  name,
  against,
  relative_error: relative,
  largest_error: largest,
  mse: meanSquared,
  cosine,
  not_finite: notFinite,
});
