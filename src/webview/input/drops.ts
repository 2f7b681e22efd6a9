/** Profile files dropped on the page are stacked. */
import { stackFiles } from '../actions/stack';
import type { View } from '../view/view';

export function listenToDrops(view: View, page: HTMLElement): void {
  page.addEventListener('dragover', event => event.preventDefault());
  page.addEventListener('drop', event => {
    event.preventDefault();
    void stackFiles(view, [...(event.dataTransfer?.files ?? [])]);
  });
}
