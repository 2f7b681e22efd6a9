/** Every command, id -> handler; titles and menus are in package.json. */
import * as vscode from 'vscode';
import { TIMELINE_COMMANDS, type TimelineCommand } from '../webview/protocol/commands';
import { editCases } from './commands/editCases';
import { nextHotLine, previousHotLine, toggleHints } from './commands/hotLines';
import { openLine } from './commands/openLine';
import { openProfile } from './commands/openProfile';
import { openTimeline } from './commands/openTimeline';
import { profileKernel } from './commands/profileKernel';
import { selectTarget } from './commands/selectTarget';
import { showAdvice } from './commands/showAdvice';
import { showLaunches } from './commands/showLaunches';
import { showLine } from './commands/showLine';
import { sweepKernel } from './commands/sweepKernel';
import { compareItems, compareWithLastRun } from './compare/compareRuns';
import { SECTION } from './configuration';
import type { RangeHints } from './hints/rangeHints';
import { profileCommands } from './profiles/profileCommands';
import type { Node } from './profiles/profilesView';
import { openExample } from './welcome/openExample';

const VIEW_COMMANDS = Object.keys(TIMELINE_COMMANDS) as TimelineCommand[];

export type CommandHandler = (...args: never[]) => unknown;

type NeedsOf<Maker extends (needs: never) => unknown> = Parameters<Maker>[0];

/** The dependencies of all commands together; each uses a part. */
type Needs = NeedsOf<typeof profileKernel> &
  NeedsOf<typeof openLine> &
  NeedsOf<typeof showLine> &
  Omit<NeedsOf<typeof profileCommands>, 'extensionUri' | 'selected'> & {
    extension: vscode.Extension<unknown>;
    globalStorageUri: vscode.Uri;
    rangeHints: RangeHints;
    /** The selection of the Profiles view. */
    selected: () => Promise<readonly Node[]>;
  };

/** Handlers of commands, by the ids in package.json. */
export function commandTable(needs: Needs): Record<string, CommandHandler> {
  const { captures, extension, globalStorageUri, log, rangeHints, timelines } = needs;
  const { extensionUri } = extension;
  const commands: Record<string, CommandHandler> = {
    profileKernel: profileKernel(needs),
    cancel: () => captures.cancel(),
    openTimeline: openTimeline(needs),
    showAdvice: showAdvice(needs),
    showLaunches: showLaunches(needs),
    showLine: showLine(needs),
    openLine: openLine(needs),
    editCases: editCases(),
    sweepKernel: sweepKernel(needs),
    nextHotLine: nextHotLine(needs),
    previousHotLine: previousHotLine(needs),
    toggleHints,
    toggleRangeHints: () => rangeHints.toggle(),
    openProfile: openProfile(),
    selectTarget: selectTarget(extension),
    showOutput: () => log.show(),
    openExample: openExample({ extensionUri, globalStorageUri }),
    openWalkthrough: () => vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#start`, false),
    compare: () => compareItems(needs, []),
    compareWithLastRun: () => compareWithLastRun(needs),
    ...profileCommands({ ...needs, extensionUri }),
    ...Object.fromEntries(VIEW_COMMANDS.map(name => [`timeline.${name}`, () => timelines.command(name)])),
  };
  return Object.fromEntries(Object.entries(commands).map(([name, handler]) => [`${SECTION}.${name}`, handler]));
}
