/** The view in the page's address: the link opens with the same times, selection, markers and settings. */
import type { ViewState } from '../protocol/messages';

const PREFIX = '#view=';

export function linkView(state: ViewState): void {
  const text = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(state))));
  const safe = text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  history.replaceState(null, '', PREFIX + safe);
}

/** null: the address names no view. What is in it is checked where it is used. */
export function linkedView(): ViewState | null {
  if (!location.hash.startsWith(PREFIX)) return null;
  try {
    const text = atob(location.hash.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, c => c.charCodeAt(0))));
  } catch {
    return null;
  }
}
