/**
 * A worker (`service/worker.ts`) that records a kernel once and times it with many machines and policies, which is the shorter part. What to
 * time comes with the policy of the request, the answer as a check of the profile: nothing of the product has to know of it.
 */
import { type FidelityRun, figureOf, machineOfRun } from '../../src/cli/fidelityRows';
import { neuronPolicy } from '../../src/simulator/compile/neuronPolicy';
import type { Policy } from '../../src/simulator/compile/policy';
import { withValues } from '../../src/simulator/hardware/withValues';
import { allowRelaxedSimd } from '../../src/simulator/service/relaxedSimd';
import { serveCaptures } from '../../src/simulator/service/serve';
import { simulatorBackend } from '../../src/simulator/session/simulatorBackend';

export interface Variant {
  name: string;
  /** Facts of the machine and of the policy that differ, by path. */
  machine: Record<string, unknown>;
  policy: Record<string, unknown>;
}

/** A policy that asks for the figure of a metric (`fidelityRows.ts`) with each variant, ns. */
export type AskingPolicy = Policy & { asked: { metric: string; run: FidelityRun; variants: Variant[] } };

allowRelaxedSimd();
await serveCaptures({
  ...simulatorBackend,
  simulate(cores, { policy, machine: _, ...options }) {
    const { metric, run, variants } = (policy as AskingPolicy).asked;
    const figure = figureOf({ metric, run });
    if (!figure) throw new Error(`the metric "${metric}" names no time of a whole kernel`);
    const stock = machineOfRun({ ...run, target: cores[0].target });
    const timed = variants.map(variant => {
      const machine = withValues(stock, variant.machine);
      const profile = simulatorBackend.simulate(cores, { ...options, machine, policy: withValues(neuronPolicy, variant.policy) });
      return { profile, figure: [variant.name, figure(profile, machine)] as const };
    });
    const message = JSON.stringify(Object.fromEntries(timed.map(one => one.figure)));
    return { ...timed[0].profile, checks: [{ severity: 'info', message, file: '', line: 0 }] };
  },
});
