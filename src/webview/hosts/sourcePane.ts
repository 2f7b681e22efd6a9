/** Source text beside the timeline, in a page that has no editor: the line asked for is marked, hot lines are shaded by their share of the time. */
import { percentText, timeText } from '../../simulator/analyze/format';
import type { Line } from '../../simulator/analyze/lines';
import type { Profile } from '../../simulator/profile/profile';
import { fileName } from '../data/describe';
import { iconButton } from '../dom/components';
import { element } from '../dom/element';
import type { RelatedLine, SourcePosition } from '../protocol/messages';
import { pythonTokens, type Token, type TokenKind } from './pythonTokens';

/** From this width on the pane is open from the start: no jump of the layout at the first click. */
const ROOMY_PX = 1100;
const TELLS: Record<RelatedLine['kind'], string> = {
  before: 'What is selected waits for this line',
  after: 'This line waits for what is selected',
};

export class SourcePane {
  private readonly name = element('h2');
  private readonly text = element('div.sourceText', { tabindex: 0, role: 'region', 'aria-label': 'Source' });
  private readonly pane: HTMLElement;
  private files: Profile['files'] = [];
  private current: SourcePosition | null = null;
  private shown = '';
  private heat = new Map<string, Line>();
  private related: readonly RelatedLine[] = [];

  constructor(
    private readonly root: HTMLElement,
    private readonly onLine: (position: SourcePosition) => void,
  ) {
    const close = () => this.root.classList.remove('withSource');
    this.pane = element('aside.sourcePane', {}, element('header', {}, this.name, iconButton('close', 'Hide source', close)), this.text);
  }

  /** Where there is room, takes its place before there is anything to show: the rows are laid out once. */
  reserve(): void {
    if (window.innerWidth < ROOMY_PX) return;
    this.root.append(this.pane);
    this.root.classList.add('withSource');
  }

  /** When open, shows the hottest line, unless another was asked for; of a run without events, where its first file begins. */
  useProfile(profile: Profile, hottestFirst: readonly Line[]): void {
    this.files = profile.files;
    this.shown = '';
    if (!profile.files.some(({ text }) => text.trim() !== '')) this.root.classList.remove('withSource');
    this.heat = new Map(hottestFirst.map(line => [`${line.file}:${line.line}`, line]));
    const [first] = profile.files;
    const at = this.current ?? hottestFirst[0] ?? (first && { file: first.path, line: 1 });
    if (!at || !this.root.classList.contains('withSource')) return;
    this.reveal(at);
    if (!this.current) this.unmark();
  }

  /** `focus`: and gives it the keyboard. */
  show(position: SourcePosition, focus: boolean): void {
    this.current = position;
    this.reveal(position);
    if (focus) this.text.focus({ preventScroll: true });
  }

  /** Marks the line of what is selected, where the pane is open; none: no line is marked. */
  follow(position: SourcePosition | null): void {
    if (!this.root.classList.contains('withSource')) return;
    this.current = position;
    if (!position) this.unmark();
    else if (!this.isMarked(position)) this.reveal(position);
  }

  /** Marks the lines that the selected event depends on, and those that wait for it. */
  relate(lines: readonly RelatedLine[]): void {
    this.related = lines;
    for (const marked of this.text.querySelectorAll('.before, .after')) {
      marked.classList.remove('before', 'after');
      marked.removeAttribute('title');
    }
    for (const { file, line, kind } of lines) {
      const marked = file === this.shown ? this.text.children[line - 1] : undefined;
      marked?.classList.add(kind);
      marked?.setAttribute('title', TELLS[kind]);
    }
  }

  private reveal(position: SourcePosition): void {
    const file = this.files.find(({ path }) => path === position.file);
    if (!file) return;
    if (!this.pane.isConnected) this.root.append(this.pane);
    this.root.classList.add('withSource');
    if (this.shown !== file.path) this.fill(file.path, file.text);
    this.unmark();
    const line = this.text.children[position.line - 1];
    if (!line) return;
    line.classList.add('current');
    line.setAttribute('aria-current', 'true');
    line.scrollIntoView({ block: 'center' });
  }

  private isMarked({ file, line }: SourcePosition): boolean {
    return file === this.shown && this.text.children[line - 1]?.classList.contains('current') === true;
  }

  private unmark() {
    for (const marked of this.text.querySelectorAll('.current')) {
      marked.classList.remove('current');
      marked.removeAttribute('aria-current');
    }
  }

  private fill(path: string, text: string) {
    this.shown = path;
    this.name.textContent = fileName(path);
    this.name.title = path;
    this.text.replaceChildren(...pythonTokens(text.split(/\r\n|\r|\n/)).map((tokens, i) => this.line(path, i + 1, tokens)));
    this.relate(this.related);
  }

  private line(file: string, line: number, tokens: readonly Token[]): HTMLElement {
    const heat = this.heat.get(`${file}:${line}`);
    const number = element('button.number', { type: 'button', title: 'Mark the events of this line' }, String(line));
    number.addEventListener('click', () => this.onLine({ file, line }));
    const share = element('span.heat', { title: heat ? `${timeText(heat.timeNs)}, ${percentText(heat.share)} of the time` : null });
    if (heat) {
      share.textContent = heat.share >= 0.005 ? percentText(heat.share) : '';
      share.style.setProperty('--share', String(Math.min(1, heat.share)));
    }
    return element('div.sourceLine', {}, number, share, element('code', {}, ...tokens.map(piece)));
  }
}

/** Its kind is its class; text without one needs no element. */
const piece = ({ kind, text }: Token) => (kind === 'plain' ? text : element(`span.${CLASSES[kind]}` as 'span', {}, text));

/** `number` is the line's. */
const CLASSES: Readonly<Record<Exclude<TokenKind, 'plain'>, string>> = {
  comment: 'comment',
  string: 'string',
  number: 'numeral',
  keyword: 'keyword',
  call: 'call',
  decorator: 'decorator',
};
