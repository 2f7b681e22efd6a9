/** Entry of the workers that unpack parts of profiles beside the page (dist/webview/unpacking.js). */
import type { UnpackAnswer, UnpackRequest } from './messages';
import { unpackPart } from './unpackPart';

const answer = (message: UnpackAnswer, given: Transferable[] = []) => postMessage(message, { transfer: given });

addEventListener('message', async ({ data: { id, packed, sizeBytes } }: MessageEvent<UnpackRequest>) => {
  try {
    const bytes = await unpackPart(packed, sizeBytes);
    answer({ id, bytes }, [bytes.buffer]);
  } catch (error) {
    answer({ id, problem: (error as Error).message });
  }
});
