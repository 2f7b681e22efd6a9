/**
 * How good a recorded kernel could be: its bounds, from the recorded instructions and DMAs with the costs of the model. What to change
 * is advice on programs (`advice/`): of a recording it says why there is none.
 */
import type { AdviceReport } from '../advice/advise';
import { headline } from '../experiments/headline';
import { independentBounds, type Rung } from '../experiments/ladder';
import type { Capture } from '../formats/capture/rows';
import type { Profile } from '../profile/profile';
import { captureQuestions } from './questions';
import { recordedBodyNs, replayCode } from './replay';

const NO_ADVICE =
  'Advice on lines needs a program: a recording does not say which buffers its waits are for, nor what an instruction computes. Capture the kernel here for it. What if works: faster engines, queues, DMA and HBM are tried on the recording.';

/** @param profile of the same recording @throws NoExperiment, FormatError */
export function recordingReport(capture: Capture, profile: Profile, target?: string): AdviceReport {
  const code = replayCode(capture, target);
  const bodyNs = recordedBodyNs(code);
  const [{ baseNs, timeNs }] = captureQuestions(capture, target, [{ resource: 'dma-starts', speed: 2 }]);
  const measured: Rung[] = [
    { name: 'as it ran', timeNs: profile.totalTimeNs, meaning: 'the whole profile, as recorded' },
    { name: 'without start-up', timeNs: bodyNs, meaning: 'the kernel’s body, as recorded: from its first DMA trigger to its last payload' },
    {
      name: 'DMA starts hidden',
      // The model is not the hardware: what it says of the change counts, as a share.
      timeNs: bodyNs * Math.min(1, timeNs / baseNs),
      meaning: 'data moves as soon as a DMA is triggered: the share of the body that the replay gains by it',
    },
  ];
  const bounds = independentBounds(
    profile,
    code.streams.map(stream => stream.code),
  );
  // Some recordings do not say between which memories a DMA moved its bytes.
  const rungs = [...measured, ...bounds.filter(({ timeNs: ns }) => ns > 0).map(rung => atMost(rung, bodyNs))];
  return {
    headline: headline(profile, rungs, code.machine.product, () => null),
    ladder: rungs,
    next: null,
    advice: [],
    rejected: [],
    noAdvice: NO_ADVICE,
  };
}

/** A bound by the model's costs can be above what the hardware took: then the recording is the bound. */
const atMost = (rung: Rung, bodyNs: number): Rung =>
  rung.timeNs <= bodyNs ? rung : { ...rung, timeNs: bodyNs, meaning: `${rung.meaning}; by the model’s costs more than was recorded` };
