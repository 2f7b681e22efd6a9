/** The port to the extension, when the page runs in a VS Code webview. */
import { fromPlanes } from '../../simulator/columns/planes';
import { eventMessage, type Port } from '../protocol/channel';
import type { KeptView, ViewEvents } from '../protocol/messages';
import { receivingParcels } from '../protocol/parcels';

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
  const direct: Port = {
    post: message => api.postMessage(message),
    listen(handler) {
      const listener = (event: MessageEvent) => handler(event.data);
      window.addEventListener('message', listener);
      return () => window.removeEventListener('message', listener);
    },
  };
  return {
    post: message => direct.post(message),
    keep: view => api.setState(view),
    listen(handler) {
      const tell = (received: ViewEvents['profileReceived']) =>
        handler(eventMessage<ViewEvents, 'profileReceived'>('profileReceived', received));
      return receivingParcels(direct, bytes => fromPlanes(bytes, 'profile'), tell).listen(handler);
    },
  };
}
