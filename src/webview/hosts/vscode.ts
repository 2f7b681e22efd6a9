/** The port to the extension, when the page runs in a VS Code webview. */
import type { Port } from '../protocol/channel';
import type { KeptView } from '../protocol/messages';

interface VsCodeApi {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
}

declare global {
  // VS Code puts it there, once; a second call throws
  var acquireVsCodeApi: (() => VsCodeApi) | undefined;
}

export interface VsCodeHost extends Port {
  /** Kept by VS Code across a reload of the window, for the panel's serializer. */
  keep(view: KeptView): void;
}

/** null outside VS Code. */
export function vscodeHost(): VsCodeHost | null {
  const api = globalThis.acquireVsCodeApi?.();
  if (!api) return null;
  return {
    post: message => api.postMessage(message),
    keep: view => api.setState(view),
    listen(handler) {
      const listener = (event: MessageEvent) => handler(event.data);
      window.addEventListener('message', listener);
      return () => window.removeEventListener('message', listener);
    },
  };
}
