/** The line above a kernel says which of its lines is worth a look: the one with which the kernel gains most when it is free. */
import type * as vscode from 'vscode';
import { isTooSmallShare, type Line, modelledChangeText, signedPercentText } from '../../simulator/index';
import type { LinePart } from '../../webview/protocol/linePart';
import { gainOf, knownGain, type LineGain } from '../hints/lineGain';
import type { LineMaps } from '../hints/lineMaps';
import type { Run } from '../run/run';
import type { Experiments } from '../timeline/experiments';

interface Needs {
  experiments: Experiments;
  lineMaps: LineMaps;
}

/** Of the hottest, which are timed again without being asked for. */
const MOST_LINES = 3;
/** A larger profile keeps a core busy too long. */
const MOST_EVENTS = 20_000;

export class GainLens {
  private readonly asked = new WeakSet<Run>();

  /** @param onAnswer the lenses are to be made again */
  constructor(
    private readonly parts: Needs,
    private readonly onAnswer: () => void,
  ) {}

  /** `line 22 free: −18 %`, `twice as fast: −4 %`; empty until it is known, and when the text is another than what ran. */
  commands(document: vscode.TextDocument, run: Run): vscode.Command[] {
    const map = this.parts.lineMaps.of(document);
    if (map?.run !== run || map.stale || !isCheap(run)) return [];
    const hottest = [...run.linesOf(document.uri.fsPath).values()].filter(line => line.timeNs > 0).slice(0, MOST_LINES);
    const known = hottest.flatMap(line => {
      const gain = knownGain(this.parts.experiments, run, line);
      return gain ? [{ line, gain }] : [];
    });
    if (known.length < hottest.length) void this.ask(run, hottest);
    const best = known.reduce<(typeof known)[number] | null>((a, b) => (a && a.gain.freeShare <= b.gain.freeShare ? a : b), null);
    return best && best.gain.freeShare < 0 && !isTooSmallShare(best.gain.freeShare) ? commandsOf(best.line, best.gain) : [];
  }

  private async ask(run: Run, lines: readonly Line[]) {
    if (this.asked.has(run)) return;
    this.asked.add(run);
    for (const line of lines) await gainOf(this.parts.experiments, run, line);
    this.onAnswer();
  }
}

const isCheap = ({ isMadeHere, profile }: Run) =>
  isMadeHere && !!profile.timing && profile.instructions.startNs.length + profile.transfers.startNs.length <= MOST_EVENTS;

function commandsOf({ file, line }: Line, { freeShare, twiceShare }: LineGain): vscode.Command[] {
  const command = (title: string, savedShare: number) => ({
    title,
    tooltip: 'Show the timeline with this line faster, above the one that ran.',
    command: 'nkiScope.showLine',
    arguments: [{ file, line }, { part: 'whatIf', savedShare } satisfies LinePart],
  });
  return [
    command(`line ${line} free: ${signedPercentText(freeShare)}`, 1),
    command(`twice as fast: ${modelledChangeText(twiceShare)}`, 0.5),
  ];
}
