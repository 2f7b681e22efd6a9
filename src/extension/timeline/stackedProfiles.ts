/**
 * What is stacked in the page of a timeline. The page has the list and its order, and tells of each change; the containers are here, because
 * a page that is hidden is thrown away, and gets them again when it is shown.
 */
import { firstPart } from '../../simulator/index';
import type { HostEvents, StackEvent } from '../../webview/protocol/messages';
import { stackOneByOne } from '../../webview/protocol/stackOneByOne';

type Given = StackEvent<Uint8Array>['profiles'][number];

/** How the page is told: at once, or when it has drawn its own profile. */
interface Page {
  whenDrawn(act: () => void): void;
  stack(event: StackEvent): void;
}

export class StackedProfiles {
  /** As the page told last. */
  private shown: readonly Given[] = [];
  /** Sent; the page has not answered yet. */
  private sent: readonly Given[] = [];
  /** Counts what was asked for: of what was asked for before, nothing more comes. */
  private asked = 0;

  constructor(private readonly page: Page) {}

  /** The whole container; undefined: it is not stacked. */
  bytesOf(key: string): Uint8Array | undefined {
    return this.all.find(known => known.key === key)?.bytes;
  }

  /** In place of what is stacked. */
  replace(profiles: readonly Given[], above: boolean): void {
    this.asked++;
    this.page.whenDrawn(() => this.send({ above, profiles: [...profiles] }));
  }

  /** Below the page's own, in place of what is stacked; each as soon as it is there. @param loads as `stackOneByOne` */
  async oneByOne(loads: readonly (() => Promise<Given | undefined>)[]): Promise<void> {
    const asked = ++this.asked;
    const isWanted = () => asked === this.asked;
    await stackOneByOne(
      loads.map(load => async () => (isWanted() ? load() : undefined)),
      event => {
        this.page.whenDrawn(() => isWanted() && this.send(event));
        return isWanted();
      },
    );
  }

  /** The page's list has changed. */
  told({ profiles, answers }: HostEvents['stacked']): void {
    this.shown = profiles.flatMap(({ bytes, ...name }) => {
      const known = bytes ?? this.bytesOf(name.key);
      return known ? [{ ...name, bytes: known }] : [];
    });
    this.sent = this.sent.filter(({ key }) => !answers?.includes(key));
    // taken away by the user while others were still coming
    if (profiles.length === 0 && !answers) this.stop();
  }

  /** To a page that was thrown away: all that the one before had, or was to have. */
  sendAgain(): void {
    if (this.all.length > 0) this.send({ above: false, profiles: this.all });
  }

  private get all(): Given[] {
    return [...this.shown, ...this.sent.filter(({ key }) => !this.shown.some(known => known.key === key))];
  }

  private stop() {
    this.asked++;
    if (this.sent.length > 0) this.send({ above: false, profiles: [] });
  }

  private send({ profiles, ...how }: StackEvent<Uint8Array>) {
    if (!how.adds) this.shown = [];
    this.sent = how.adds ? [...this.sent, ...profiles] : profiles;
    this.page.stack({ ...how, profiles: profiles.map(({ bytes, ...name }) => ({ ...name, bytes: firstPart(bytes) })) });
  }
}
