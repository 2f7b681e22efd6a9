/** What the drawer knows of a tab: its name, when to fill it anew, and with what. */
import type { TabId } from '../state/settings';
import type { Change, View } from '../state/view';

export interface Tab {
  id: TabId;
  title: string;
  about: string;
  /** Filled anew when one of these changed while it is shown. */
  needs: readonly Change[];
  /** Filled a moment after the last change, not with every frame: what costs more than a frame. */
  slow?: boolean;
  content(view: View): Node[];
  /** With every frame that it is shown in: for what moves while the rest stays. */
  move?(view: View): void;
}
