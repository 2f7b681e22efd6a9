/** What a list says of profiles beside their names: read in the worker, the newest first, as far as little has to be read for it. */
import type { Glance } from '../simulator/index';
import type { ShelvedProfile } from './profileShelf';
import type { Reading } from './reading';

/** Of all that one page looks into: the rest is named without it. */
const MOST_BYTES = 48 * 2 ** 20;
const MOST_PROFILES = 40;

export class Glances {
  /** By id, which is another one after each change; null: it cannot be read. */
  private readonly known = new Map<string, Glance | null>();

  constructor(private readonly reading: Pick<Reading, 'run'>) {}

  /** @param profiles in the order in which they are looked at */
  async of(profiles: readonly ShelvedProfile[]): Promise<ReadonlyMap<string, Glance>> {
    let budget = MOST_BYTES;
    const found = new Map<string, Glance>();
    for (const profile of profiles.slice(0, MOST_PROFILES)) {
      if (profile.sizeBytes > budget) continue;
      budget -= profile.sizeBytes;
      const glance = await this.at(profile);
      if (glance) found.set(profile.id, glance);
    }
    return found;
  }

  /** Of one whose list was shown. */
  picture(id: string): string | undefined {
    return this.known.get(id)?.picture;
  }

  private async at({ id, file }: ShelvedProfile): Promise<Glance | null> {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    // a damaged one is listed by its name, and says what is wrong when it is opened
    const glance = await this.reading.run('glance', { sources: [{ path: file }] }).catch(() => null);
    this.known.set(id, glance);
    return glance;
  }
}
