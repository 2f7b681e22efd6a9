/** The critical path when the first is mended: what the kernel waits for once its hottest line is free. */

import { piecesText } from '../analyze/foldedPath';
import { lines } from '../analyze/lines';
import { type PathReport, pathReport } from '../analyze/pathReport';
import type { Experiment } from './experiment';
import { retimed } from './retimed';

export interface NextPath extends PathReport {
  /** The line with most time on the first path, which is free here. */
  mended: { file: string; line: number; text: string };
  /** The path in words. */
  text: string;
  /** Share of the total time. */
  timeNs: number;
  deltaShare: number;
}

/** Null where no line has time of its own. */
export function nextPath(experiment: Experiment): NextPath | null {
  const { profile } = experiment;
  const [hottest] = lines(profile);
  if (!hottest || hottest.timeNs === 0) return null;
  const { file, line, text } = hottest;
  const events = experiment.eventsOf(file, line);
  const mended = retimed(experiment, experiment.schedule({ kind: 'events', events, speed: Infinity }));
  const report = pathReport(mended);
  const deltaShare = mended.totalTimeNs / profile.totalTimeNs - 1;
  return { ...report, mended: { file, line, text }, text: piecesText(report.pieces), timeNs: mended.totalTimeNs, deltaShare };
}
