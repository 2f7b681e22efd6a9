/** All that is said of a critical path: folded, by who runs or is waited for, by line, and how many events have no slack. */
import type { Profile } from '../profile/profile';
import { type PathPart, pathParts } from './bounds';
import { type CriticalPath, criticalPath } from './criticalPath';
import { foldedPath, type ShownPiece, shortened } from './foldedPath';
import { type Line, lines } from './lines';
import { slackNs } from './slack';

export interface PathReport {
  bodyNs: number;
  /** Sorted by time. */
  pieces: ShownPiece[];
  parts: PathPart[];
  /** Lines with time on it, most first. */
  lines: Pick<Line, 'file' | 'line' | 'text' | 'timeNs' | 'share'>[];
}

/** Pieces of a level. */
const MOST_PIECES = 24;
/** Less than a step of the profile's clock. */
const NO_SLACK_NS = 0.05;

export function pathReport(p: Profile, path: CriticalPath = criticalPath(p)): PathReport {
  return {
    bodyNs: p.bodyEndNs - p.bodyStartNs,
    pieces: shortened(foldedPath(p, path), MOST_PIECES),
    parts: pathParts(p, path),
    lines: lines(p)
      .filter(line => line.timeNs > 0)
      .map(({ file, line, text, timeNs, share }) => ({ file, line, text, timeNs, share })),
  };
}

export interface SlackSummary {
  events: number;
  /** Any delay of these delays the kernel's end. */
  without: number;
}

export function slackSummary(p: Profile): SlackSummary {
  const slack = slackNs(p);
  return { events: slack.length, without: slack.reduce((count, ns) => count + Number(hasNoSlack(ns)), 0) };
}

export const hasNoSlack = (slack: number) => slack < NO_SLACK_NS;
