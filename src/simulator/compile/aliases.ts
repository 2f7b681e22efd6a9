/**
 * Tensors that a kernel placed over each other: the tensors of a group share bytes, so an access of one may depend on an access of
 * another. The allocator guarantees that all other tensors share no bytes while they are in use.
 */

/** A tensor on chip whose address the kernel chose. */
export interface Placed {
  tensor: number;
  space: number;
  addressBytes: number;
  sizeBytes: number;
}

export class TensorAliases {
  /** First tensor of the group, by tensor; alone: absent. */
  private readonly homes = new Map<number, number>();

  constructor(placed: readonly Placed[]) {
    const sorted = [...placed].sort((a, b) => a.space - b.space || a.addressBytes - b.addressBytes || a.tensor - b.tensor);
    let group: number[] = [];
    let [space, end] = [-1, 0];
    for (const { tensor, space: here, addressBytes, sizeBytes } of sorted) {
      if (here !== space || addressBytes >= end) {
        this.join(group);
        [group, space, end] = [[], here, 0];
      }
      group.push(tensor);
      end = Math.max(end, addressBytes + sizeBytes);
    }
    this.join(group);
  }

  private join(group: readonly number[]) {
    if (group.length < 2) return;
    const home = group.reduce((a, b) => Math.min(a, b));
    for (const tensor of group) this.homes.set(tensor, home);
  }

  get none(): boolean {
    return this.homes.size === 0;
  }

  /** Accesses of two tensors can overlap only if the tensors have the same home. */
  home(tensor: number): number {
    return this.homes.size === 0 ? tensor : (this.homes.get(tensor) ?? tensor);
  }

  shares(tensor: number): boolean {
    return this.homes.size > 0 && this.homes.has(tensor);
  }
}
