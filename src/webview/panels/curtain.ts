/** The cover over the rows while there are none: loading, nothing recorded, or an unreadable file. */
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import type { Panel, View } from '../view/view';

export function curtain(view: View, retry: () => void): Panel {
  const text = element('p', { role: 'status' });
  const heading = element('h2');
  const bar = element('progress', { 'aria-label': 'Progress' });
  const button = textButton('Try again', retry);
  const cover = element('div.curtain', {}, heading, text, bar, button);
  return {
    element: cover,
    draw: view.drawing(() => {
      const { status, failure, loading } = view.state;
      cover.hidden = status === 'ready';
      cover.className = `curtain ${status}`;
      bar.hidden = status !== 'loading';
      if (loading.share === null) bar.removeAttribute('value');
      else bar.value = loading.share;
      button.hidden = status !== 'failed';
      heading.textContent = { loading: 'Loading the profile', empty: 'No events', failed: 'This profile cannot be shown', ready: '' }[
        status
      ];
      text.textContent = { loading: loading.text, empty: EMPTY, failed: failure, ready: '' }[status];
    }),
  };
}

const EMPTY = 'The kernel ran, but recorded no instruction and no DMA: nothing took time.';
