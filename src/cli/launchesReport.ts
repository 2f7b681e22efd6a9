/** What `capture` says of a script that makes several kernel calls: the run of all of them, as JSON and for reading. */
import { launchTable, type Profile, percentText, timeText } from '../simulator/index';
import { alignedTable } from './alignedTable';
import { shortPath } from './messages';

/** The run of all kernel calls, and where it was written. */
export interface WrittenLaunches {
  profile: Profile;
  file: string;
}

const MOST_SHOWN = 20;
const HEADS = ['Call', 'Kernel', 'Called at', 'Layer', 'Time', 'Share', 'Gap before'];

/** Of the contract: times of the whole run, and a row for each call. @param profileOf file of a call's own profile, by its id */
export function launchesJson({ profile: p, file }: WrittenLaunches, profileOf: ReadonlyMap<string, string>): Record<string, unknown> {
  return {
    total_time_ns: p.totalTimeNs,
    body_ns: p.bodyEndNs - p.bodyStartNs,
    ncl_us: p.nclUs,
    // of the last call, not of the run
    interval_ns: undefined,
    interval_held_percent: undefined,
    run_profile: file,
    launches: launchTable(p).map(launch => ({
      kernel: launch.kernel,
      file: launch.position.file,
      line: launch.position.line,
      tensors: launch.tensors,
      layer: launch.layer,
      start_ns: launch.startNs,
      total_time_ns: launch.timeNs,
      share: launch.share,
      gap_ns: launch.gapNs,
      // null: not measured
      script_ns: launch.scriptNs ?? null,
      profile: profileOf.get(launch.profile) ?? null,
    })),
  };
}

export function launchesText({ profile: p, file }: WrittenLaunches): string {
  const all = launchTable(p);
  const rows = all
    .slice(0, MOST_SHOWN)
    .map(({ kernel, position, timeNs, share, layer, gapNs }, k) => [
      String(k + 1),
      kernel,
      `${shortPath(position.file)}:${position.line}`,
      layer,
      timeText(timeNs),
      percentText(share),
      gapNs > 0 ? timeText(gapNs) : '',
    ]);
  // a column without a word in it is none
  const isShown = HEADS.map((_, k) => rows.some(row => row[k] !== ''));
  const table = [HEADS, ...rows].map(row => row.filter((_, k) => isShown[k]));
  return [
    `${p.kernel} in ${timeText(p.totalTimeNs)}`,
    '',
    alignedTable(table, table[0].indexOf('Time')),
    ...(all.length > MOST_SHOWN ? [`${all.length - MOST_SHOWN} more`] : []),
    '',
    p.accuracy,
    `Profile: ${shortPath(file)}`,
    '',
  ].join('\n');
}
