/**
 * Everything that a key or a command can do in the timeline, by name. The extension contributes each as
 * `nkiScope.timeline.<name>`, so that any key can be bound to it; the page's own keys are `input/keymap.ts`.
 */

export const TIMELINE_COMMANDS = {
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  panLeft: 'Pan Left',
  panRight: 'Pan Right',
  scrollUp: 'Rows Above',
  scrollDown: 'Rows Below',
  fit: 'Fit All',
  goToTime: 'Go to Time',
  focusSelection: 'Zoom to Selection',
  nextEvent: 'Next Event',
  previousEvent: 'Previous Event',
  followBlocker: 'Go to What It Waited For',
  nextBlocked: 'Go to What Waited for It',
  nextPredecessor: 'Next Predecessor',
  nextSuccessor: 'Next Successor',
  openSource: 'Open Source Line',
  mark: 'Add Marker',
  markRange: 'Mark Both Ends of Selection',
  deleteMarker: 'Delete Marker',
  undoMarkers: 'Undo Change of Markers',
  redoMarkers: 'Redo Change of Markers',
  eventToBox: 'Box-Select the Event',
  selectVisible: 'Box-Select Everything Visible',
  toggleBoxSelect: 'Toggle Box Select',
  focusSearch: 'Search',
  nextMatch: 'Next Match',
  previousMatch: 'Previous Match',
  findTrack: 'Find Track',
  pinTrack: 'Pin Track',
  hideTrack: 'Hide Track',
  cycleColours: 'Next Colours',
  showDetails: 'Show Details',
  showLines: 'Show Lines',
  showFlame: 'Show Functions and Loops',
  showAdvice: 'Show Advice',
  showWhatIf: 'Show What If',
  toggleDetails: 'Toggle Details',
  clear: 'Clear',
  help: 'Keyboard Help',
} as const;

export type TimelineCommand = keyof typeof TIMELINE_COMMANDS;
