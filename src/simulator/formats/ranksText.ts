/** `ranks` and `ranks-json`: a run on several ranks as one, for reading and for scripts. */
import { bytesText, timeText } from '../analyze/format';
import { type RankedCollective, type RanksOfRun, ranksOfRun } from '../analyze/ranks';
import { type Straggler, stragglerOf } from '../analyze/straggler';
import type { Profile } from '../profile/profile';

/** Of a table, and the rest is counted. */
const MOST_COLLECTIVES = 40;
/** Collectives of which it is said why a rank came last, those with the largest skew first, and lines of each. */
const MOST_STRAGGLERS = 5;
const MOST_LINES = 3;
/** Of the skew: what a line took the last rank more is not worth saying below. */
const LEAST_SHARE = 0.05;

export function ranksText(profiles: readonly Profile[]): string {
  const run = ranksOfRun(profiles);
  return `${[...rankLines(run), '', ...collectiveLines(run.collectives), ...stragglerLines(profiles, run.collectives)].join('\n')}\n`;
}

/** A row per rank. */
export function rankLines({ kernel, topology, ranks, slowest }: RanksOfRun): string[] {
  const named = ranks.map(({ rank, process }) => (process ? `${rank} (${process})` : String(rank)));
  const widest = Math.max(8, ...named.map(name => name.length + 1));
  const row = (...[rank, total, body, count, active, wait]: string[]) =>
    `  ${rank.padEnd(widest)}${total.padStart(12)}${body.padStart(12)}${count.padStart(14)}${active.padStart(12)}${wait.padStart(12)}`;
  return [
    `${kernel} on ${ranks.length} ranks of ${topology}: rank ${slowest} ends last`,
    '',
    row('Rank', 'in all', 'body', 'collectives', 'active', 'waiting'),
    ...ranks.map(({ totalNs, bodyNs, count, activeNs, waitNs }, at) =>
      row(named[at], timeText(totalNs), timeText(bodyNs), String(count), timeText(activeNs), timeText(waitNs)),
    ),
  ];
}

function collectiveLines(collectives: readonly RankedCollective[]): string[] {
  if (collectives.length === 0) return ['No collectives.'];
  const row = (...[what, at, size, algorithm, time, skew, last]: string[]) =>
    `  ${what.padEnd(36)}${at.padStart(8)}${size.padStart(12)}  ${algorithm.padEnd(10)}${time.padStart(11)}${skew.padStart(11)}  ${last}`;
  const shown = collectives.slice(0, MOST_COLLECTIVES);
  return [
    row('Collective', 'line', 'size', 'algorithm', 'time', 'skew', 'last'),
    ...shown.map(each =>
      row(
        each.name,
        String(each.position.line),
        bytesText(each.bytes),
        each.algorithm,
        timeText(each.durationNs),
        timeText(each.skewNs),
        each.skewNs > 0 ? `rank ${each.last.rank}${each.last.line > 0 ? `, held up at line ${each.last.line}` : ''}` : '',
      ),
    ),
    ...(shown.length < collectives.length ? [`  and ${collectives.length - shown.length} more`] : []),
  ];
}

/** What the last rank's critical path had more than the first one's. */
function stragglerLines(profiles: readonly Profile[], collectives: readonly RankedCollective[]): string[] {
  const late = collectives.filter(({ skewNs }) => skewNs > 0).sort((a, b) => b.skewNs - a.skewNs);
  return late.slice(0, MOST_STRAGGLERS).flatMap(({ number, name, position }) => {
    const found = stragglerOf(profiles, number);
    if (!found) return [];
    const { last, first, skewNs, lines } = found;
    const row = (what: string, ofLast: string, ofFirst: string) => `  ${what.padEnd(36)}${ofLast.padStart(12)}${ofFirst.padStart(12)}`;
    const slower = lines.filter(({ lastNs, firstNs }) => lastNs - firstNs >= LEAST_SHARE * skewNs).slice(0, MOST_LINES);
    return [
      '',
      `Rank ${last} came ${timeText(skewNs)} after rank ${first} to ${name} of line ${position.line}. On their critical paths since their previous collective:`,
      row('', `rank ${last}`, `rank ${first}`),
      ...slower.map(({ line, lastNs, firstNs }) =>
        row(line > 0 ? `line ${line}` : 'nothing recorded', timeText(lastNs), timeText(firstNs)),
      ),
    ];
  });
}

const stragglerJson = ({ last, first, lines }: Straggler) => ({
  last_rank: last,
  first_rank: first,
  lines: lines.map(({ file, line, lastNs, firstNs }) => ({ file, line, last_rank_ns: lastNs, first_rank_ns: firstNs })),
});

export function ranksJson(profiles: readonly Profile[]): string {
  const { kernel, topology, ranks, collectives, slowest } = ranksOfRun(profiles);
  const stragglers = new Map(
    collectives.flatMap(({ number }) => {
      const found = stragglerOf(profiles, number);
      return found ? [[number, stragglerJson(found)] as const] : [];
    }),
  );
  const run = {
    kernel,
    topology,
    slowest_rank: slowest,
    ranks: ranks.map(each => ({
      rank: each.rank,
      ...(each.process && { process: each.process }),
      total_time_ns: each.totalNs,
      body_ns: each.bodyNs,
      cc_op_count: each.count,
      cc_op_time_ns: each.sumNs,
      cc_op_active_time_ns: each.activeNs,
      wait_ns: each.waitNs,
    })),
    collectives: collectives.map(each => ({
      number: each.number,
      name: each.name,
      algorithm: each.algorithm,
      bytes: each.bytes,
      ranks: each.ranks,
      start_ns: each.startNs,
      duration_ns: each.durationNs,
      skew_ns: each.skewNs,
      last: each.last,
      straggler: stragglers.get(each.number) ?? null,
      file: each.position.file,
      line: each.position.line,
    })),
  };
  return `${JSON.stringify(run, null, 2)}\n`;
}
