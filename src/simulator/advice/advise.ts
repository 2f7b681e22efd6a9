/**
 * Advice that was tried: every rule proposes changes, the simulator times each of them, and only what gains is said, with its gain,
 * most first. What gained nothing is told as well, so that nobody tries it again.
 */

import type { Position } from '../analyze/places';
import type { ChangedOutputs } from '../analyze/valuesText';
import type { Change } from '../experiments/changes';
import { Experiment } from '../experiments/experiment';
import { type Headline, headline } from '../experiments/headline';
import { ladder, type Rung } from '../experiments/ladder';
import { NoRoom } from '../experiments/loopBuffers';
import { type NextPath, nextPath } from '../experiments/nextPath';
import type { DataSources } from '../experiments/removed';
import { costliestWait } from '../experiments/restOfTime';
import type { Profile } from '../profile/profile';
import { argumentEdit, type TextEdit } from './edits';
import { Room } from './room';
import type { AdviceRule, Proposal } from './rule';
import { RULES } from './rules';
import { Subject } from './subject';

/** Share of the total time. The model cannot distinguish smaller gains. */
export const LEAST_GAIN_SHARE = 0.01;
/** More lines must gain that much more than fewer. */
const TIE_NS = 1;
/** Lines of one rule that are tried one by one. */
const MOST_LINES = 24;

/** One rule's advice, for all lines that it helps. */
export interface Advice extends Position {
  rule: string;
  title: string;
  /** The problem in the line with the largest gain. */
  reason: string;
  sketch: string;
  /** The change that the experiment made. */
  tried: string;
  source: string;
  /** Where the change is a narrower dtype: its name, and what it does to this run's values, once that was tried. */
  narrowsTo?: string;
  values?: ValuesTried;
  /** Why it cannot be done, where that came out when it was tried; its gain is 0 then. */
  refused?: string;
  /** Gain of all its lines together, and its share of the total time. */
  gainNs: number;
  gainShare: number;
  /** The lines that gain, most first; `file` and `line` are the first one's. */
  lines: AdvisedLine[];
  /** Edits of the sources, if the change is one argument of the calls in these lines. */
  edits: TextEdit[];
  /** Alternative ways with their gains, largest first; the first is the advice. Empty if there is only one way. */
  ways: { name: string; gainNs: number; gainShare: number; lines: AdvisedLine[] }[];
}

/** The change carried out on the run's own values. */
export interface ValuesTried extends ChangedOutputs {
  /** Whether the outputs stay finite and near enough (`LARGEST_ERROR`). */
  allow: boolean;
}

export interface AdvisedLine extends Position {
  /** Gain of this line alone. */
  gainNs: number;
}

export interface AdviceReport {
  headline: Headline;
  ladder: Rung[];
  advice: Advice[];
  /** The critical path when the hottest line is free; null: no line has time of its own. */
  next: NextPath | null;
  /** Advice that was tried and gains less than `LEAST_GAIN_SHARE`. */
  rejected: Advice[];
  /** Why no advice was looked for; absent: it was. */
  noAdvice?: string;
}

export interface AdviseOptions {
  onProgress?(done: number, of: number): void;
}

/** @throws NoExperiment where the profile cannot be timed again */
export function advise(profile: Profile, { onProgress }: AdviseOptions = {}): AdviceReport {
  const experiment = new Experiment(profile);
  const subject = new Subject(experiment);
  const room = new Room(subject);
  const rungs = ladder(experiment);
  const all: Advice[] = [];
  for (const [k, rule] of RULES.entries()) {
    const found = tried({ experiment, room }, rule, rule.propose(subject, room));
    if (found) all.push(found);
    onProgress?.(k + 1, RULES.length);
  }
  all.sort((a, b) => b.gainNs - a.gainNs);
  return {
    headline: headline(profile, rungs, experiment.code.machine.product, () => costliestWait(experiment)),
    ladder: rungs,
    next: nextPath(experiment),
    advice: all.filter(isGain),
    rejected: all.filter(advice => !isGain(advice)),
  };
}

const isGain = ({ gainShare }: Advice) => gainShare >= LEAST_GAIN_SHARE;

/** Every way of the rule; the one that gains most is the advice. Null where the rule has nothing to propose. */
function tried(model: Model, rule: AdviceRule, proposals: readonly Proposal[]): Advice | null {
  const { experiment } = model;
  const baseNs = experiment.profile.totalTimeNs;
  const all = [...byWay(proposals)].map(([name, own]) => ({ name, ...together(model, own) })).sort((a, b) => b.gainNs - a.gainNs);
  const possible = all.filter(({ refused }) => refused === undefined);
  const ways = possible.length > 0 ? possible : all.slice(0, 1);
  const [best] = ways;
  if (!best) return null;
  const lines = linesOf(best.best);
  const [{ proposal: first }] = best.best;
  const { name, title, sketch, tried: what, source, narrowsTo } = rule;
  return {
    rule: name,
    title,
    file: first.file,
    line: first.line,
    reason: first.reason,
    sketch,
    tried: what,
    source,
    ...(narrowsTo && { narrowsTo }),
    ...(best.refused && { refused: best.refused }),
    gainNs: best.gainNs,
    gainShare: best.gainNs / baseNs,
    lines,
    edits: best.best.flatMap(({ proposal }) => editOf(experiment.profile, proposal)),
    ways: ways
      .filter(way => way.name !== '')
      .map(way => ({ name: way.name, gainNs: way.gainNs, gainShare: way.gainNs / baseNs, lines: linesOf(way.best) })),
  };
}

function editOf({ files }: Profile, { file, line, edit }: Proposal): TextEdit[] {
  const text = files.find(({ path }) => path === file)?.text ?? '';
  const made = edit && argumentEdit(text, line, edit);
  return made ? [{ file, ...made }] : [];
}

function byWay(proposals: readonly Proposal[]): Map<string, Proposal[]> {
  const ways = new Map<string, Proposal[]>();
  for (const proposal of proposals) {
    const name = proposal.way ?? '';
    ways.set(name, [...(ways.get(name) ?? []), proposal]);
  }
  return ways;
}

const linesOf = (those: readonly Tried[]): AdvisedLine[] => those.map(({ proposal: { file, line }, gainNs }) => ({ file, line, gainNs }));

/** What times a change, and what has room for it. */
interface Model {
  experiment: Experiment;
  room: Room;
}

/** What changes gain, or why they cannot be made. */
interface Outcome {
  gainNs: number;
  refused?: string;
}

/** Each line alone, then all that gain together. */
function together(model: Model, proposals: readonly Proposal[]): Outcome & { best: readonly Tried[] } {
  const { experiment, room } = model;
  const baseNs = experiment.profile.totalTimeNs;
  const alone = busiestFirst(proposals)
    .slice(0, MOST_LINES)
    .map(proposal => ({ proposal, ...outcome(model, proposal) }));
  const possible = alone.filter(({ refused }) => refused === undefined);
  if (possible.length === 0) return { best: alone.slice(0, 1), gainNs: 0, refused: alone[0].refused };
  const single = bestOfLine(possible);
  const [first] = single;
  const gainOf = (those: readonly Tried[]) => baseNs - experiment.totalNs(...allChanges(those.map(({ proposal }) => proposal)));
  // Lines of one change may share what it keeps.
  const keptBy = (those: readonly Tried[]) => [...new Set(those.flatMap(({ proposal: { keeps } }) => keeps ?? []))];
  const fits = (those: readonly Tried[]) => room.lacking(keptBy(those)) === undefined;
  // Lines that gain nothing one by one may do so together: two buffers of one loop, for example.
  const candidates = [[first], single.filter(({ gainNs }) => gainNs > 0), single].filter(
    (those, k) => k === 0 || (those.length > 1 && fits(those)),
  );
  const [best, gainNs] = candidates
    .map((those, k): [readonly Tried[], number] => [those, k === 0 ? first.gainNs : gainOf(those)])
    .reduce((a, b) => (b[1] > a[1] + TIE_NS ? b : a));
  return { best, gainNs: Math.max(0, gainNs) };
}

function outcome({ experiment, room }: Model, { changes, comparedWith, keeps }: Proposal): Outcome {
  const refused = keeps && room.lacking(keeps);
  if (refused !== undefined) return { gainNs: 0, refused };
  try {
    const baseNs = comparedWith ? experiment.totalNs(...comparedWith) : experiment.profile.totalTimeNs;
    return { gainNs: baseNs - experiment.totalNs(...changes) };
  } catch (error) {
    if (error instanceof NoRoom) return { gainNs: 0, refused: error.message };
    throw error;
  }
}

interface Tried {
  proposal: Proposal;
  gainNs: number;
}

/** Keeps the proposal with the largest gain for each line; largest gains first. */
function bestOfLine(all: readonly Tried[]): Tried[] {
  const best = new Map<string, Tried>();
  for (const one of all) {
    const key = `${one.proposal.line} ${one.proposal.file}`;
    if (one.gainNs > (best.get(key)?.gainNs ?? Number.NEGATIVE_INFINITY)) best.set(key, one);
  }
  return [...best.values()].sort((a, b) => b.gainNs - a.gainNs);
}

/** A rule that finds something in every line of a long kernel is tried where most events are. */
function busiestFirst(proposals: readonly Proposal[]): Proposal[] {
  const weight = ({ changes }: Proposal) => changes.reduce((sum, change) => sum + weightOf(change), 0);
  return [...proposals].sort((a, b) => weight(b) - weight(a));
}

const weightOf = (change: Change) => ('events' in change && change.events ? change.events.reduce((sum: number, is) => sum + is, 0) : 0);

/**
 * Of the changes of several lines those that would undo or repeat each other become one: the least of all costs stays, buffers are doubled
 * once.
 */
function allChanges(proposals: readonly Proposal[]): Change[] {
  const changes = proposals.flatMap(proposal => proposal.changes);
  const costs = changes.filter(change => change.kind === 'costs');
  const buffers = changes.filter(change => change.kind === 'doubled buffers');
  const gone = changes.filter(change => change.kind === 'removed');
  const narrowed = changes.filter(change => change.kind === 'fewer bytes');
  const reordered = changes.filter(change => change.kind === 'pipelined');
  const merged = new Set<Change>([...costs, ...buffers, ...gone, ...narrowed, ...reordered]);
  const others = changes.filter(change => !merged.has(change));
  const least = (column: 'issueNs' | 'durationNs') =>
    costs.map(change => change[column]).reduce((a, b) => a.map((ns, i) => Math.min(ns, b[i])));
  const any = (a: Uint8Array, b: Uint8Array) => a.map((is, i) => is | b[i]);
  return [
    ...others,
    ...(costs.length > 0 ? [{ kind: 'costs' as const, issueNs: least('issueNs'), durationNs: least('durationNs') }] : []),
    ...(narrowed.length > 0 ? [{ ...narrowed[0], events: narrowed.map(change => change.events).reduce(any) }] : []),
    ...(gone.length > 0 ? [{ ...gone[0], events: gone.map(change => change.events).reduce(any), standIns: standInsOf(gone) }] : []),
    ...(buffers.length > 0 ? [{ ...buffers[0], events: buffers.map(change => change.events).reduce(any) }] : []),
    ...reordered.slice(0, 1),
  ];
}

/** Of each removed instruction those of the change that removes it; absent where no change has any. */
function standInsOf(gone: readonly Extract<Change, { kind: 'removed' }>[]): DataSources | undefined {
  const given = gone.filter(({ standIns }) => standIns !== undefined);
  if (given.length < gone.length) return undefined;
  if (given.length === 1) return given[0].standIns;
  const rows = given[0].standIns!.producerStart.length - 1;
  const producerStart = new Uint32Array(rows + 1);
  const producer: number[] = [];
  for (let i = 0; i < rows; i++) {
    const { standIns } = given.find(({ events }) => events[i] === 1) ?? given[0];
    producer.push(...standIns!.producer.subarray(standIns!.producerStart[i], standIns!.producerStart[i + 1]));
    producerStart[i + 1] = producer.length;
  }
  return { producerStart, producer: Uint32Array.from(producer) };
}
