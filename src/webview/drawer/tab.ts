/** What the drawer knows of a tab: its name, and what it is filled with. */
import type { TabId } from '../state/settings';
import type { View } from '../view/view';

export interface Tab {
  id: TabId;
  title: string;
  about: string;
  /** False for a profile that has nothing of the kind: its button is not there. Absent: it is for every profile. */
  isFor?(view: View): boolean;
  /** Of what is in it, behind its title; 0 and null: nothing is said. Cheap: asked for whenever something that it reads changes. */
  count?(view: View): number | null;
  /** Filled a moment after the last change, not with every frame: what costs more than a frame. */
  slow?: boolean;
  /** Made anew when something that it read of the view has changed while it is shown. */
  content(view: View): Node[];
  /** For what moves while the rest stays: made anew by itself. */
  move?(view: View): void;
}
