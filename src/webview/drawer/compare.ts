/** The stacked profiles as a list, where more come from, and what changed by track and by line (`compareTables.ts`). */
import { timeText } from '../../simulator/analyze/format';
import { columnNames, namePartsOf } from '../../simulator/analyze/runNames';
import type { Profile } from '../../simulator/profile/profile';
import { makeBase, shiftProfile, stackFiles, unstack, unstackAll } from '../actions/stack';
import { baseOf, isExperiment, letterOf, MOST_PROFILES, OWN, type StackedProfile } from '../data/stack';
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import { link } from '../panels/links';
import { shareText } from '../stack/deltas';
import { profileMark } from '../stack/mark';
import type { View } from '../view/view';
import { deltaTables } from './compareTables';
import type { Tab } from './tab';
import { type TableColumn, table, unsorted } from './table';

export function compareTab(): Tab {
  const sortings = { profiles: unsorted(), tracks: unsorted(), lines: unsorted() };
  return {
    id: 'compare',
    title: 'Compare',
    about: 'Other profiles above and below this one, with linked zoom',
    content(view) {
      const { stackProblem } = view.state;
      const problem = stackProblem === '' ? [] : [element('p.problem', {}, stackProblem)];
      if (view.state.stack.length < 2) return [...problem, chooser(view, TEXT)];
      const columns = profileColumns(view);
      return [
        ...problem,
        table({ label: 'Stacked profiles', columns, rows: view.state.stack, sorting: sortings.profiles }),
        ...ranOf(view.state.stack),
        chooser(
          view,
          '',
          link('Remove all', 'Shows this profile alone', () => unstackAll(view)),
        ),
        element('div.blocks', {}, ...deltaTables(view, sortings)),
      ];
    },
  };
}

const TEXT = `Choose saved profiles (.nkiprof), or drop them here, up to ${MOST_PROFILES - 1}: their rows appear below these, with linked zoom; all kernels’ bodies begin together.`;

function chooser(view: View, text: string, ...more: Node[]): HTMLElement {
  const file = element('input', {
    type: 'file',
    accept: '.nkiprof',
    multiple: true,
    hidden: true,
    'aria-label': 'Profiles to compare with',
  });
  file.addEventListener('change', () => void stackFiles(view, [...(file.files ?? [])]));
  return element(
    'section.block.chooser',
    {},
    text === '' ? null : element('p', {}, text),
    textButton('Add profiles', () => file.click()),
    file,
    ...more,
  );
}

const bodyNs = (p: Profile) => p.bodyEndNs - p.bodyStartNs;

function profileColumns(view: View): TableColumn<StackedProfile>[] {
  const first = baseOf(view.state.stack);
  const base = first.model.profile;
  const time = (title: string, of: (p: Profile) => number): TableColumn<StackedProfile>[] => [
    { title, text: ({ model }) => timeText(of(model.profile)), value: ({ model }) => of(model.profile) },
    {
      title: `${title} change`,
      about: `Against ${letterOf(first.number)}`,
      text: row => (row === first ? 'base' : shareText(of(base), of(row.model.profile))),
      value: ({ model }) => of(model.profile) / Math.max(of(base), 1e-9),
    },
  ];
  return [
    { title: 'Profile', words: true, text: name },
    { title: '', about: 'What can be done with it', words: true, text: row => actions(view, row) },
    {
      title: 'Times are',
      words: true,
      text: row => (isExperiment(row) ? 'an experiment' : row.model.profile.simulated ? 'modelled' : 'measured'),
    },
    ...time('Total', p => p.totalTimeNs),
    ...time('Body', bodyNs),
  ];
}

/** What each is of, where a title does not say it: files have any name. */
function ranOf(stack: readonly StackedProfile[]): HTMLElement[] {
  if (stack.every(({ title, model }) => title.includes(model.profile.kernel))) return [];
  const names = columnNames(stack.map(({ model }) => namePartsOf(model.profile)));
  return stack.map(({ number }, k) => element('p.hint.ran', {}, `${letterOf(number)}: ${names[k]}`));
}

const name = ({ number, title }: StackedProfile) =>
  element('span.profileName', { title: `${letterOf(number)}: ${title}` }, profileMark(number), element('span', {}, title));

function actions(view: View, row: StackedProfile): HTMLElement {
  const { number, title } = row;
  const place = view.state.stack.findIndex(p => p.number === number);
  const letter = letterOf(number);
  return element(
    'span.profileActions',
    {},
    row === baseOf(view.state.stack) || isExperiment(row)
      ? null
      : link('Base', `Compares the others with ${letter}`, () => makeBase(view, number)),
    place === 0 ? null : link('↑', `Moves ${letter} up`, () => shiftProfile(view, number, -1)),
    place === view.state.stack.length - 1 ? null : link('↓', `Moves ${letter} down`, () => shiftProfile(view, number, 1)),
    number === OWN ? null : link('Remove', `Removes ${letter}: ${title}`, () => unstack(view, number)),
  );
}
