/**
 * Searches a space for the fastest point without running all: successive halving over starting points, in which what a start gets more of
 * in each round is steps of a local search. A step tries all points that differ from the best one in one parameter, by one value. After a
 * round the slower half of the starts is given up. What is left of the budget begins anew with other starts.
 *
 * The same space, budget, seed and times give the same search, whatever the order in which points finish.
 */
import { constraint, pointsOf, pointText, type SweepPoint, type SweepSpace, type SweptParameter } from './space';

export interface SearchOptions {
  /** Points that may be run. */
  budget: number;
  seed: number;
  /** Times of these points, ns; null where a point does not run. Fewer are returned only if the search is to stop. */
  run(points: readonly SweepPoint[]): Promise<(number | null)[]>;
  /** Whether the best time so far is as good as it can be. */
  isNear(bestNs: number): boolean;
}

export interface SearchEnd {
  /** Why it stopped: nothing is left to try, the budget is spent, the bound is near, or somebody stopped it. */
  reason: 'all tried' | 'budget' | 'bound' | 'stopped';
  best: { point: SweepPoint; timeNs: number } | null;
}

/** Of the budget, what the starts and their first steps take. */
const FIRST_ROUND_SHARE = 0.25;
const LEAST_STARTS = 4;

/** A starting point and how far its local search has come. */
interface Climb {
  point: SweepPoint;
  timeNs: number;
  /** No neighbour is faster. */
  isDone: boolean;
}

/** @throws SpaceError */
export async function search(space: SweepSpace, options: SearchOptions): Promise<SearchEnd> {
  return new Search(space, options).run();
}

class Search {
  private readonly times = new Map<string, number | null>();
  private readonly isKept: (point: SweepPoint) => boolean;
  private best: SearchEnd['best'] = null;
  private isStopped = false;

  constructor(
    private readonly space: SweepSpace,
    private readonly options: SearchOptions,
  ) {
    this.isKept = constraint(space);
  }

  async run(): Promise<SearchEnd> {
    for (let round = 0; this.reason() === null; round++) {
      const before = this.times.size;
      const left = this.options.budget - before;
      const mostAround = 2 * this.space.parameters.length;
      const starts = this.starts(Math.max(LEAST_STARTS, Math.floor((left * FIRST_ROUND_SHARE) / (1 + mostAround))), round);
      await this.halve(await this.begin(starts));
      if (this.times.size === before && this.reason() === null) return { reason: 'all tried', best: this.best };
    }
    return { reason: this.reason() ?? 'all tried', best: this.best };
  }

  private reason(): SearchEnd['reason'] | null {
    if (this.isStopped) return 'stopped';
    if (this.best && this.options.isNear(this.best.timeNs)) return 'bound';
    return this.times.size >= this.options.budget ? 'budget' : null;
  }

  /** Points that were not tried, drawn at random; all of them if there are few. */
  private starts(count: number, round: number): SweepPoint[] {
    const known = this.times.size;
    const sample = { count: count + known, seed: this.options.seed + round };
    return pointsOf({ ...this.space, sample })
      .filter(point => !this.times.has(pointText(point)))
      .slice(0, count);
  }

  private async begin(points: readonly SweepPoint[]): Promise<Climb[]> {
    await this.try(points);
    return points.flatMap(point => {
      const timeNs = this.times.get(pointText(point));
      return typeof timeNs === 'number' ? [{ point, timeNs, isDone: false }] : [];
    });
  }

  private async halve(starts: Climb[]) {
    let climbs = starts;
    for (let steps = 1; climbs.some(({ isDone }) => !isDone) && this.reason() === null; steps *= 2) {
      for (let step = 0; step < steps && this.reason() === null; step++) await this.step(climbs.filter(({ isDone }) => !isDone));
      climbs = distinct(climbs)
        .sort((a, b) => a.timeNs - b.timeNs)
        .slice(0, Math.max(1, Math.ceil(climbs.length / 2)));
    }
  }

  /** All climbs at once, so that all cores have work. */
  private async step(climbs: readonly Climb[]) {
    const around = climbs.map(({ point }) => this.neighbours(point));
    await this.try(around.flat());
    for (const [k, climb] of climbs.entries()) {
      const tried = around[k].filter(point => this.times.has(pointText(point)));
      const faster = tried
        .map(point => ({ point, timeNs: this.times.get(pointText(point)) ?? Infinity }))
        .reduce((a, b) => (b.timeNs < a.timeNs ? b : a), climb);
      climb.isDone = faster.timeNs >= climb.timeNs;
      climb.point = faster.point;
      climb.timeNs = faster.timeNs;
    }
  }

  private neighbours(point: SweepPoint): SweepPoint[] {
    return this.space.parameters.flatMap(parameter => beside(parameter, point)).filter(this.isKept);
  }

  /** Runs what has not run, as far as the budget goes. */
  private async try(points: readonly SweepPoint[]) {
    const isNew = (point: SweepPoint) => !this.times.has(pointText(point));
    const news = [...new Map(points.filter(isNew).map(point => [pointText(point), point])).values()];
    const wanted = news.slice(0, Math.max(0, this.options.budget - this.times.size));
    if (wanted.length === 0) return;
    const times = await this.options.run(wanted);
    this.isStopped ||= times.length < wanted.length;
    for (const [k, timeNs] of times.entries()) {
      this.times.set(pointText(wanted[k]), timeNs);
      if (timeNs !== null && timeNs < (this.best?.timeNs ?? Infinity)) this.best = { point: wanted[k], timeNs };
    }
  }
}

/** The points with the value before and after in one parameter. */
function beside({ name, values }: SweptParameter, point: SweepPoint): SweepPoint[] {
  const at = values.indexOf(point[name]);
  return [at - 1, at + 1].filter(k => k >= 0 && k < values.length).map(k => ({ ...point, [name]: values[k] }));
}

const distinct = (climbs: readonly Climb[]): Climb[] => [...new Map(climbs.map(climb => [pointText(climb.point), climb])).values()];
