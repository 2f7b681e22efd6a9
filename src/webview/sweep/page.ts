/** The page of a sweep: progress, a filter, the table, a plot, and what can be done with the chosen row. */
import { timeText } from '../../simulator/analyze/format';
import { SMALL_MARK_MEANS, slowerText } from '../../simulator/analyze/tellsApart';
import { element } from '../dom/element';
import { type Sorting, type TableColumn, table } from '../drawer/table';
import type { FromSweep, SweepRow, ToSweep } from '../protocol/sweep';
import { type Field, fastestOf, parameterField, RESULTS, shownRows, TIME } from './model';
import { heatMap, type PlotOptions, scatterPlot } from './plot';

/** Of the page's own choices; the editor keeps it while the page is hidden. */
export interface KeptChoices {
  stars: number[];
}

type PlotKind = 'Scatter' | 'Heat map';
const PLOTS: readonly PlotKind[] = ['Scatter', 'Heat map'];

/** Rows beyond these are counted, not shown: a filter finds them. */
const MOST_ROWS = 500;

export class SweepPage {
  private names: string[] = [];
  private points = 0;
  private canWrite = false;
  private rows = new Map<number, SweepRow>();
  private isRunning = false;
  private stars: Set<number>;
  private chosen: number | null = null;
  private readonly limits = { filter: '', onlyStarred: false, onlyRunning: false };
  private plotKind: PlotKind = 'Scatter';
  private x = '';
  private y = '';
  private isDrawn = true;
  private readonly sorting: Sorting;

  private readonly title = element('h1');
  private readonly state = element('p.state', { role: 'status' });
  private readonly progress = element('progress', { 'aria-label': 'Points that have finished' });
  private readonly run = button('Cancel', () => this.tell({ kind: this.isRunning ? 'cancel' : 'resume' }));
  private readonly actions = element('div.actions', { role: 'toolbar', 'aria-label': 'The chosen point' });
  private readonly tablePlace = element('div.rows', { tabindex: 0, role: 'region', 'aria-label': 'Points' });
  private readonly plotPlace = element('div');
  private readonly plotChoices = element('div.choices');

  constructor(
    private readonly place: HTMLElement,
    private readonly tell: (message: FromSweep) => void,
    kept: Partial<KeptChoices>,
    private readonly keep: (choices: KeptChoices) => void,
  ) {
    this.stars = new Set(kept.stars);
    this.sorting = { column: null, descending: false };
    const filter = element('input', {
      type: 'search',
      placeholder: 'Filter, for example TILE=128',
      'aria-label': 'Filter',
      spellcheck: false,
    });
    filter.addEventListener('input', () => this.change(() => (this.limits.filter = filter.value)));
    const starred = this.checkbox('Starred only', on => (this.limits.onlyStarred = on));
    const running = this.checkbox('Hide points that do not run', on => (this.limits.onlyRunning = on));
    const head = element(
      'div.head',
      {},
      this.run,
      button('Export…', () => this.tell({ kind: 'export' })),
      filter,
      starred,
      running,
    );
    const main = element('div.main', {}, this.tablePlace, element('div.side', {}, this.plotChoices, this.plotPlace));
    this.place.append(this.title, element('div.status', {}, this.state, this.progress), head, this.actions, main);
  }

  hear(message: ToSweep): void {
    if (message.kind === 'begin') this.begin(message);
    else if (message.kind === 'rows') for (const row of message.rows) this.rows.set(row.index, row);
    else {
      this.isRunning = false;
      this.state.textContent = `${this.countText()}${message.message === '' ? '' : ` ${message.message}`}`;
    }
    if (message.kind !== 'end' && this.isRunning) this.state.textContent = this.countText();
    this.draw();
  }

  private begin({ title, names, points, canWrite }: Extract<ToSweep, { kind: 'begin' }>) {
    if (names.join() !== this.names.join() || points !== this.points) {
      this.chosen = null;
      this.x = names[0] ?? TIME.name;
      this.y = TIME.name;
    }
    this.rows = new Map();
    this.isRunning = true;
    [this.title.textContent, this.names, this.points, this.canWrite] = [title, names, points, canWrite];
    // by time
    this.sorting.column = names.length + 1;
    this.sorting.descending = false;
  }

  private countText(): string {
    const failed = [...this.rows.values()].filter(row => row.error !== null).length;
    const doNot = failed === 0 ? '' : `, ${failed} of them do not run`;
    return `${this.rows.size} of ${this.points} points${doNot}.`;
  }

  private change(make: () => unknown) {
    make();
    this.draw();
  }

  /** At most once a frame: rows come one by one. */
  private draw() {
    if (!this.isDrawn) return;
    this.isDrawn = false;
    requestAnimationFrame(() => {
      this.isDrawn = true;
      this.fill();
    });
  }

  private fill() {
    const all = [...this.rows.values()];
    const best = fastestOf(all);
    const shown = shownRows(all, { ...this.limits, stars: this.stars });
    this.progress.max = Math.max(1, this.points);
    this.progress.value = this.rows.size;
    this.progress.hidden = !this.isRunning;
    this.run.textContent = this.isRunning ? 'Cancel' : this.rows.size < this.points ? 'Resume' : 'Run Again';
    this.fillActions(best);
    this.fillTable(shown, best);
    this.fillPlot(shown, best);
  }

  private fillActions(best: SweepRow | null) {
    const row = this.chosen === null ? undefined : this.rows.get(this.chosen);
    const runs = row?.error === null;
    const act = (label: string, kind: 'open' | 'compare' | 'write', isOn: boolean) => {
      const made = button(label, () => row && this.tell({ kind, index: row.index }));
      made.disabled = !row || !isOn;
      return made;
    };
    const why = row?.error ? `. ${row.error}` : '';
    const said = row ? `Chosen: ${this.pointText(row)}${why}` : 'Choose a point in the table or in the plot.';
    this.actions.replaceChildren(
      act('Open Timeline', 'open', runs),
      act('Compare with Fastest', 'compare', runs && best !== null && best.index !== row?.index),
      act('Write These Values into the File', 'write', this.canWrite),
      element('span.chosen', {}, said),
    );
  }

  private fillTable(rows: readonly SweepRow[], best: SweepRow | null) {
    const focused = this.tablePlace.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).closest('tr')?.rowIndex
      : undefined;
    const { scrollTop } = this.tablePlace;
    const columns = [this.starColumn(), ...this.names.map(parameterColumn), ...resultColumns(best)];
    const isChosen = (row: SweepRow) => row.index === this.chosen;
    const made = table({
      label: 'Points',
      columns,
      rows,
      sorting: this.sorting,
      most: MOST_ROWS,
      onPress: row => this.choose(row),
      current: isChosen,
    });
    this.tablePlace.replaceChildren(made);
    this.tablePlace.scrollTop = scrollTop;
    if (focused !== undefined) made.querySelectorAll('tr')[focused]?.focus();
  }

  private starColumn(): TableColumn<SweepRow> {
    return {
      title: '★',
      about: 'Sort by stars',
      words: true,
      value: row => (this.stars.has(row.index) ? 0 : 1),
      text: row => {
        const isOn = this.stars.has(row.index);
        const made = element(
          'button.star',
          { type: 'button', 'aria-pressed': String(isOn), 'aria-label': `Star ${this.pointText(row)}` },
          isOn ? '★' : '☆',
        );
        made.addEventListener('click', () => this.star(row));
        return made;
      },
    };
  }

  private star({ index }: SweepRow) {
    if (!this.stars.delete(index)) this.stars.add(index);
    this.keep({ stars: [...this.stars] });
    this.draw();
  }

  private choose({ index }: SweepRow) {
    this.change(() => (this.chosen = index));
  }

  private fillPlot(rows: readonly SweepRow[], best: SweepRow | null) {
    const parameters = this.names.map(parameterField);
    const isHeat = this.plotKind === 'Heat map';
    const fields = isHeat ? parameters : [...parameters, ...RESULTS];
    const fieldOf = (name: string, other: Field | undefined) => fields.find(field => field.name === name) ?? other ?? fields[0] ?? TIME;
    const x = fieldOf(this.x, parameters[0]);
    const y = fieldOf(this.y, isHeat ? parameters.find(field => field.name !== x.name) : TIME);
    this.plotChoices.replaceChildren(
      choice('Plot', PLOTS, this.plotKind, kind => this.change(() => (this.plotKind = kind as PlotKind))),
      choice(
        'X axis',
        fields.map(field => field.name),
        x.name,
        name => this.change(() => (this.x = name)),
      ),
      choice(
        'Y axis',
        fields.map(field => field.name),
        y.name,
        name => this.change(() => (this.y = name)),
      ),
    );
    const options: PlotOptions = {
      ...{ rows, x, y, chosen: this.chosen, best: best?.index ?? null },
      shade: TIME,
      textOf: row => `${this.pointText(row)}: ${timeText(row.totalTimeNs!)}`,
      onChoose: row => this.choose(row),
    };
    this.plotPlace.replaceChildren(isHeat ? heatMap(options) : scatterPlot(options));
  }

  private pointText({ parameters }: SweepRow): string {
    return this.names.map(name => `${name}=${parameters[name]}`).join(', ');
  }

  private checkbox(label: string, set: (on: boolean) => void): HTMLElement {
    const box = element('input', { type: 'checkbox' });
    box.addEventListener('change', () => this.change(() => set(box.checked)));
    return element('label.check', {}, box, label);
  }
}

function button(label: string, onPress: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, label);
  made.addEventListener('click', onPress);
  return made;
}

function choice(label: string, values: readonly string[], value: string, onChange: (value: string) => void): HTMLElement {
  const select = element('select', {}, ...values.map(own => element('option', { value: own, selected: own === value }, own)));
  select.addEventListener('change', () => onChange(select.value));
  return element('label', {}, `${label} `, select);
}

function parameterColumn(name: string): TableColumn<SweepRow> {
  const of = (row: SweepRow) => row.parameters[name];
  return {
    title: name,
    words: true,
    text: row => String(of(row)),
    // names go after numbers, in the order of the alphabet among themselves
    ...({ value: (row: SweepRow) => (typeof of(row) === 'number' ? Number(of(row)) : Number.MAX_VALUE) } satisfies Partial<
      TableColumn<SweepRow>
    >),
  };
}

const MIB = 2 ** 20;

function resultColumns(best: SweepRow | null): TableColumn<SweepRow>[] {
  const bestNs = best?.totalTimeNs ?? null;
  const mib = (bytes: number | null) => (bytes === null ? '' : (bytes / MIB).toFixed(2));
  const more = (row: SweepRow) =>
    row === best ? 'fastest' : bestNs && row.totalTimeNs !== null ? slowerText(row.totalTimeNs / bestNs - 1) : '';
  return [
    {
      title: 'Time',
      text: row => (row.totalTimeNs === null ? 'does not run' : timeText(row.totalTimeNs)),
      value: row => row.totalTimeNs ?? Infinity,
    },
    { title: 'Slower', about: `Than the fastest. ${SMALL_MARK_MEANS}`, text: more, value: row => row.totalTimeNs ?? Infinity },
    {
      title: 'Likely',
      about: 'Likely range on hardware',
      text: row => row.likelyNs?.map(timeText).join(' to ') ?? '',
      value: row => row.likelyNs?.[0] ?? Infinity,
    },
    { title: 'Bound', text: row => row.bound ?? '', words: true },
    {
      title: 'SBUF MiB',
      about: 'Most in use at one time',
      text: row => mib(row.sbufPeakBytes),
      value: row => row.sbufPeakBytes ?? Infinity,
    },
    {
      title: 'PSUM MiB',
      about: 'Most in use at one time',
      text: row => mib(row.psumPeakBytes),
      value: row => row.psumPeakBytes ?? Infinity,
    },
    { title: 'Error', text: row => row.error ?? '', words: true, code: true },
  ];
}
