/**
 * Which engine takes an instruction that two engines can do. The lowering gives it one, with the other as its alternative (`copy` in
 * `lowerings/movement.ts`); the list scheduler decides when it issues the instruction. This file keeps what was decided.
 */
import { type Alternative, type MachineInstructions, TRACK_ENGINE } from '../compiled';

/** No other engine. */
export const NONE = -1;

export class EngineChoice {
  /** By instruction: 1 where the alternative was taken. */
  private readonly moved: Uint8Array;

  constructor(
    private readonly instructions: MachineInstructions,
    private readonly alternatives: readonly Alternative[],
  ) {
    this.moved = new Uint8Array(instructions.track.length);
  }

  /** Index in ENGINES. */
  engineOf(instruction: number): number {
    return TRACK_ENGINE[this.moved[instruction] ? this.alternativeOf(instruction).track : this.instructions.track[instruction]];
  }

  /** The engine that could take it instead; NONE: its engine is settled. */
  otherEngine(instruction: number): number {
    const isSettled = this.instructions.alternative[instruction] === 0 || this.moved[instruction] === 1;
    return isSettled ? NONE : TRACK_ENGINE[this.alternativeOf(instruction).track];
  }

  move(instruction: number) {
    this.moved[instruction] = 1;
  }

  issueNs(instruction: number): number {
    return this.moved[instruction] ? this.alternativeOf(instruction).issueNs : this.instructions.issueNs[instruction];
  }

  durationNs(instruction: number): number {
    return this.moved[instruction] ? this.alternativeOf(instruction).durationNs : this.instructions.durationNs[instruction];
  }

  /** The columns with the engines that were taken. */
  settled(): MachineInstructions {
    if (this.alternatives.length === 0) return this.instructions;
    const { track, issueNs, durationNs, ports, alternative, ...rest } = this.instructions;
    const columns = { track: track.slice(), issueNs: issueNs.slice(), durationNs: durationNs.slice(), ports: ports.slice() };
    for (let i = 0; i < this.moved.length; i++) {
      if (this.moved[i] === 0) continue;
      const taken = this.alternativeOf(i);
      columns.track[i] = taken.track;
      columns.issueNs[i] = taken.issueNs;
      columns.durationNs[i] = taken.durationNs;
      columns.ports[i] = taken.ports;
    }
    return { ...rest, ...columns, alternative: new Uint32Array(alternative.length) };
  }

  private alternativeOf(instruction: number): Alternative {
    return this.alternatives[this.instructions.alternative[instruction] - 1];
  }
}
