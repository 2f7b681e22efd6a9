/**
 * How long tests wait. It is long: a machine that others use may stand still for a minute, and only a test that fails takes longer for
 * it. What is fast enough is measured in `bench/`.
 */
import { timeout } from '../../.mocharc.json';

export const TEST_LIMIT_MS = timeout;
/** For one thing to happen; a test may wait for several. */
export const WAIT_LIMIT_MS = TEST_LIMIT_MS / 4;
