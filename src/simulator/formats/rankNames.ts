/**
 * Which profiles are ranks of one run, by their names alone: those of ours, and those that AWS's tools give to the captures of several
 * workers. Pure: names come from the caller, as paths with `/` below one folder.
 */
import { rankLabel } from '../analyze/runNames';

/** A profile's name as that of a rank. */
interface RankName {
  /** What the run is called: the name without what tells the ranks apart. */
  title: string;
  /** As the name numbers it; null: the capture does not. */
  rank: number | null;
  /** What it says in place of a number: process and core. */
  process: string;
  /** Equal for the ranks of one run. */
  run: string;
  /** In their order: numbers before texts. */
  order: (string | number)[];
}

export interface NamedRank<T> {
  /** `rankLabel` of rank and process. */
  label: string;
  /** The number in the name, else the place among those that were found. */
  rank: number;
  /** Of a capture that does not number its ranks, the process and core: `i-0a pid 77, NC 1`; else empty. */
  process: string;
  /** Of the run. */
  title: string;
  of: T;
}

type Parser = (name: string) => RankName | null;

const EXTENSION = String.raw`((?:[.@]\w+)?)`;

/** `profile_rank_3.ntff`, of an execution `profile_rank_3_exec_2.ntff`, and `KERNEL_rank_3.nkiprof` of ours. */
const numbered = parser(new RegExp(`^(.*_rank_)(\\d{1,6})((?:_exec_\\d{1,6})?${EXTENSION})$`), ([before, rank, after]) => ({
  title: before.replace(/^.*\//, '').replace(/_rank_$/, ''),
  rank: Number(rank),
  process: '',
  run: `${before} ${after}`,
  order: [Number(rank)],
}));

/** `i-0123_pid_77/123456_instid_0_vnc_1.ntff`: a folder for each process, a file for each model and core. */
const ofModel = parser(
  new RegExp(`^(.*?)([^/]+)_pid_(\\d+)/(.*?)([^/]+)_instid_(\\d+)_vnc_(\\d+)${EXTENSION}$`),
  ([folder, instance, pid, between, model, , core, after]) => ({
    title: model,
    rank: null,
    run: `${folder} ${between} ${model} ${after}`,
    order: [instance, Number(pid), Number(core)],
    process: processText(instance, pid, core),
  }),
);

/** `i-0123_pid_77/20261122_101500/profile_nc_1_session_2.ntff`: the time is of each process. */
const ofSession = parser(
  new RegExp(`^(.*?)([^/]+)_pid_(\\d+)/[^/]+/profile_nc_(\\d+)_session_(\\d+)${EXTENSION}$`),
  ([folder, instance, pid, core, session, after]) => ({
    title: `session ${session}`,
    rank: null,
    run: `${folder} ${session} ${after}`,
    order: [instance, Number(pid), Number(core)],
    process: processText(instance, pid, core),
  }),
);

const PARSERS: readonly Parser[] = [ofModel, ofSession, numbered];

/** The ranks of the run that a profile is one of, in their order; none where it has no others. */
export function ranksBeside<T>(all: readonly T[], one: T, nameOf: (profile: T) => string): NamedRank<T>[] {
  const own = rankName(nameOf(one));
  if (!own) return [];
  const found = all.flatMap(of => {
    const name = rankName(nameOf(of));
    return name?.run === own.run ? [{ name, of }] : [];
  });
  if (found.length < 2) return [];
  return found
    .sort((a, b) => inOrder(a.name.order, b.name.order))
    .map(({ name: { rank, process, title }, of }, at) => ({ label: rankLabel(rank ?? at, process), rank: rank ?? at, process, title, of }));
}

/** Folders of processes, and of times in them, that a rank's file may lie in: `..._pid_77/20261122_101500/`. */
export const CAPTURE_DEPTH = 2;
/** The name of a folder that a process's captures lie in. */
export const isProcessFolder = (name: string): boolean => /_pid_\d+$/.test(name);

/**
 * Names of the NEFF that an NTFF may belong to, the likeliest first: its own, and those that the runtime writes beside it.
 * @param beside all names in its folder: asked for when the NTFF's own name does not say which
 */
export function neffNames(ntff: string, beside: () => readonly string[]): string[] {
  const own = ntff.replace(/\.ntff$/i, '.neff');
  const [, model] = /^(.+)_instid_\d+_vnc_\d+\.ntff$/i.exec(ntff) ?? [];
  const [, core] = /^profile_nc_(\d+)_session_\d+\.ntff$/i.exec(ntff) ?? [];
  const ofCore = core === undefined ? [] : beside().filter(name => new RegExp(`^neff_.+_vnc_${core}\\.neff$`).test(name));
  // of several models of a core the name does not say which
  const certain = ofCore.length === 1 ? ofCore : [];
  return [...(own === ntff ? [] : [own]), ...(model === undefined ? [] : [`neff_${model}.neff`]), ...certain];
}

function rankName(name: string): RankName | null {
  for (const parse of PARSERS) {
    const found = parse(name);
    if (found) return found;
  }
  return null;
}

function parser(pattern: RegExp, named: (groups: string[]) => RankName): Parser {
  return name => {
    const found = pattern.exec(name);
    return found && named(found.slice(1));
  };
}

const processText = (instance: string, pid: string, core: string) => `${instance} pid ${pid}, NC ${core}`;

function inOrder(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
}
