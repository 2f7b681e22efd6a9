/** A profile file dropped on the page is compared with the one shown. */
import { openOther } from '../state/comparing';
import type { View } from '../state/view';

export function listenToDrops(view: View, page: HTMLElement): void {
  page.addEventListener('dragover', event => event.preventDefault());
  page.addEventListener('drop', async event => {
    event.preventDefault();
    const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => name.endsWith('.nkiprof'));
    if (file) openOther(view, file.name, new Uint8Array(await file.arrayBuffer()));
  });
}
