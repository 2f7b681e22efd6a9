/** What each key and each command of the host does. */

import { boxOfEvent, selectVisible } from '../actions/boxSelection';
import { cycleDependency } from '../actions/dependencies';
import { redoMarkers, undoMarkers } from '../actions/markerHistory';
import { deleteMarker, markHere, markRange } from '../actions/markers';
import { fit, focusSelection, panLeft, panRight, scrollBy, zoomIn, zoomOut } from '../actions/navigation';
import { hideCurrent, pinCurrent } from '../actions/rows';
import { visitMatch } from '../actions/searching';
import { clear, followBlocker, nextBlocked, openSelected, step } from '../actions/selection';
import type { TimelineCommand } from '../protocol/commands';
import { COLOURS, type ColourBy, type TabId } from '../state/settings';
import type { State } from '../state/viewState';
import type { View } from '../view/view';

const toggleOpen = (part: NonNullable<State['open']>) => (view: View) =>
  view.store.update({ open: view.state.open === part ? null : part });

/** Shows a tab; hides the panel when it is the one shown. */
const showTab = (tab: TabId) => (view: View) => {
  const { state } = view.store;
  view.store.update({ tab, detailsOpen: !(state.detailsOpen && state.tab === tab) });
};

const openTab = (tab: TabId) => (view: View) => view.store.update({ tab, detailsOpen: true });

export const KEY_ACTIONS: Readonly<Record<TimelineCommand, (view: View) => void>> = {
  zoomIn,
  zoomOut,
  panLeft,
  panRight,
  scrollUp: view => scrollBy(view, -view.state.heightPx * 0.8),
  scrollDown: view => scrollBy(view, view.state.heightPx * 0.8),
  fit,
  goToTime: toggleOpen('goToTime'),
  focusSelection,
  nextEvent: view => step(view, 1),
  previousEvent: view => step(view, -1),
  followBlocker,
  nextBlocked,
  nextPredecessor: view => cycleDependency(view, 'predecessors'),
  nextSuccessor: view => cycleDependency(view, 'successors'),
  openSource: openSelected,
  mark: markHere,
  markRange,
  deleteMarker: view => deleteMarker(view),
  undoMarkers,
  redoMarkers,
  eventToBox: boxOfEvent,
  selectVisible,
  toggleBoxSelect(view) {
    const dragMode = view.state.dragMode === 'zoom' ? 'box' : 'zoom';
    view.store.update({ dragMode });
    view.announce(dragMode === 'box' ? 'Dragging selects a box.' : 'Dragging zooms.');
  },
  focusSearch: view => view.focusSearch(),
  nextMatch: view => visitMatch(view, 1),
  previousMatch: view => visitMatch(view, -1),
  findTrack: toggleOpen('tracks'),
  pinTrack: pinCurrent,
  hideTrack: hideCurrent,
  cycleColours(view) {
    const choices = Object.keys(COLOURS) as ColourBy[];
    const colourBy = choices[(choices.indexOf(view.state.colourBy) + 1) % choices.length];
    view.store.update({ colourBy });
    view.announce(`Coloured by ${COLOURS[colourBy]}`);
  },
  showDetails: showTab('details'),
  showLines: showTab('lines'),
  showFlame: showTab('flame'),
  showAdvice: openTab('advice'),
  showWhatIf: openTab('whatIf'),
  toggleDetails: view => view.store.update({ detailsOpen: !view.state.detailsOpen }),
  clear,
  help: toggleOpen('help'),
};
