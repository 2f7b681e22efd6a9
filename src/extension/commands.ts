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
import { showLine } from './commands/showLine';
import { compareItems, compareWithLastRun } from './compare/compareRuns';
import { SECTION } from './configuration';
import { profileCommands } from './profiles/profileCommands';
import type { Node } from './profiles/profilesView';
import type { Captures } from './run/capture';
import type { Scope } from './scope';
import { openExample } from './welcome/openExample';

const VIEW_COMMANDS = Object.keys(TIMELINE_COMMANDS) as TimelineCommand[];

export type Command = (...args: never[]) => unknown;

/** By the ids of package.json. */
export function commandTable(scope: Scope, captures: Captures, selected: () => Promise<readonly Node[]>): Record<string, Command> {
  const commands: Record<string, Command> = {
    profileKernel: profileKernel(scope, captures),
    cancel: () => captures.cancel(),
    openTimeline: openTimeline(scope),
    showLine: showLine(scope),
    openLine: openLine(scope),
    editCases: editCases(),
    nextHotLine: nextHotLine(scope),
    previousHotLine: previousHotLine(scope),
    toggleHints: toggleHints(scope),
    toggleRangeHints: () => scope.rangeHints.toggle(),
    openProfile: openProfile(),
    selectTarget: selectTarget(scope),
    showOutput: () => scope.log.show(),
    openExample: openExample(scope),
    openWalkthrough: () => vscode.commands.executeCommand('workbench.action.openWalkthrough', `${scope.context.extension.id}#start`, false),
    compare: () => compareItems(scope, []),
    compareWithLastRun: () => compareWithLastRun(scope),
    ...profileCommands(scope, selected),
    ...Object.fromEntries(VIEW_COMMANDS.map(name => [`timeline.${name}`, () => scope.timelines.command(name)])),
  };
  return Object.fromEntries(Object.entries(commands).map(([name, handler]) => [`${SECTION}.${name}`, handler]));
}
