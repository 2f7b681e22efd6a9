/** What settings of the compiler's policy would be without the rows of an author, as `hardware/otherEvidence.ts`. Passes are left out. */
import type { OtherEvidence } from '../hardware/otherEvidence';
import { neuronPolicy } from './neuronPolicy';

export const POLICY_WITHOUT: Readonly<Record<string, readonly OtherEvidence[]>> = {
  allenkchau: [
    { path: 'batchedLowerings', value: [], source: 'nothing else shows batches' },
    { path: 'batchedPsumShare', value: 1, source: 'nothing else shows batches' },
    { path: 'coalescedBytes', value: 4096, source: 'nki-dma-overview: the largest packet' },
    { path: 'coalescedRowBytes', value: 512, source: 'nki-dma-overview: smaller rows are slow' },
    { path: 'psumReaders', value: ['Vector'], source: 'pictures of the Mamba tutorial' },
  ],
  aws: [{ path: 'farShare', value: neuronPolicy.nearShare.value, source: 'no other row shows what waits for space' }],
  chengli2003: [
    { path: 'legacyWindowInstructions', value: neuronPolicy.windowInstructions.value, source: 'as of rewritten kernels' },
    { path: 'legacyCopies', value: 'lessBusy', source: 'as of other kernels' },
  ],
  Tilebench: [
    { path: 'literalFollows', value: 'result', source: 'as of other kernels' },
    { path: 'renamedFills', value: ['sbuf', 'psum'], source: 'as of legacy kernels' },
  ],
  Jerry2423: [
    { path: 'windowInstructions', value: neuronPolicy.legacyWindowInstructions.value, source: 'as of legacy kernels that run as written' },
    { path: 'batchedIterationBytes', value: 224 * 1024, source: 'all of SBUF: nothing else shows a limit' },
  ],
  Jingfeng0705: [{ path: 'leavesNearLoadsOut', value: false, source: 'nothing else shows them' }],
  CHIPBOOST: [{ path: 'staticRowBytes', value: 2 ** 20, source: 'as DMAs of more rows' }],
  Lonny154: [{ path: 'recentDescriptors', value: 'static', source: 'as of legacy kernels' }],
  Skywalker: [{ path: 'spilledSpaceShare', value: 1, source: 'all of it' }],
  'nki-autotune': [{ path: 'placesInTurn', value: 1, source: 'as in PSUM' }],
};
