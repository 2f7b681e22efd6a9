/**
 * Which arrays of a script are in the memory of the device, by a rule: those that a kernel or an operation of the script's model made, and
 * reshapes and slices of them; all others are the host's. An array of the host is written to the device once, before its first use there; one of
 * the device is read back once, when the script or an operation outside of the model needs its values.
 */
import { isView } from './outsideKernels';
import type { LoggedSite } from './siteFrames';

export class DeviceArrays {
  /** Handle -> what made it there. */
  private readonly there = new Map<number, LoggedSite>();
  /** Of those that the host has the values of, too. */
  private readonly known = new Set<number>();

  /** The arrays that have to be written to the device for an operation or a kernel; they are there from now on. */
  written(inputs: readonly number[], site: LoggedSite): number[] {
    const missing = [...new Set(inputs)].filter(array => !this.there.has(array));
    for (const array of missing) {
      this.there.set(array, site);
      this.known.add(array);
    }
    return missing;
  }

  /** Results of a kernel, or of an operation of the model. */
  made(results: readonly number[], site: LoggedSite): void {
    for (const array of results) this.there.set(array, site);
  }

  /** An operation outside of the model. @returns the arrays whose values it needs. */
  onHost(op: string, operands: readonly number[], result: number): number[] {
    const [first] = operands;
    const site = this.there.get(first);
    if (!isView(op)) return [...operands];
    if (site) this.there.set(result, site);
    if (this.known.has(first)) this.known.add(result);
    return [];
  }

  /** The script asks for the values. @returns what made the array if they are read back for it, else null. */
  read(array: number): LoggedSite | null {
    const maker = this.there.get(array);
    if (!maker || this.known.has(array)) return null;
    this.known.add(array);
    return maker;
  }

  free(array: number): void {
    this.there.delete(array);
    this.known.delete(array);
  }
}
