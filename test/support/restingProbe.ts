/** Worker of `restingState.test.ts`: runs scripts one after another in one interpreter, as long as it can be made as it was. */
import { parentPort, workerData } from 'node:worker_threads';
import { Interrupt } from '../../src/simulator/frontend/interrupt';
import { PyodideBridge } from '../../src/simulator/frontend/pyodideBridge';
import { HostSession } from '../../src/simulator/session/hostSession';
import { simulatorBackend } from '../../src/simulator/session/simulatorBackend';

export interface Printed {
  printed: string;
  /** The interpreter was made as it was. */
  isReady: boolean;
}

const { dist, root, scripts } = workerData as { dist: string; root: string; scripts: string[] };
const bridge = new PyodideBridge(dist);
await bridge.start();
const file = `${root}/script.py`;
const runs: Printed[] = [];
// an error that leaves a disarmed thread has no report
try {
  for (const script of scripts) {
    const overlay = { [file]: script };
    const interrupt = new Interrupt();
    let printed = '';
    const session = new HostSession({
      request: { file, root, overlay },
      limits: { instructions: 1000, seconds: 60, memoryMb: 4096 },
      target: 'trn2',
      paths: bridge.paths,
      interrupt,
      backend: simulatorBackend,
      readFile: () => new Uint8Array(),
      saveProfile: () => '',
      onProgress: () => {},
    });
    const onOutput = (text: string) => {
      printed += text;
    };
    await bridge.run({ root, overlay: new Map(Object.entries(overlay)), handle: session.handle, interrupt, onOutput, again: true });
    runs.push({ printed, isReady: bridge.isReady });
    if (!bridge.isReady) break;
  }
  parentPort?.postMessage(runs);
} catch (error) {
  parentPort?.postMessage([{ printed: String((error as Error).stack), isReady: false }]);
}
