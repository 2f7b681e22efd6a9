/** The kernel's functions and loops as an icicle: width is time on the critical path, a press marks the events inside. */
import { percentText, timeText } from '../../simulator/analyze/format';
import type { HierarchyNode } from '../../simulator/analyze/hierarchy';
import { markEvents, markLines } from '../actions/searching';
import { hasSource, positionText } from '../data/describe';
import { element } from '../dom/element';
import { plural } from '../math/units';
import type { View } from '../view/view';
import type { Tab } from './tab';

/** Narrower ones are left to their parent. */
const LEAST_SHARE = 0.002;

export const flameTab = (): Tab => ({
  id: 'flame',
  title: 'Functions',
  about: 'Functions and loop nests, by time on the critical path (3)',
  content(view) {
    const root = view.model!.analysis.hierarchy();
    const hint = 'Width: time on the critical path. Press a part to mark its events; Ctrl+click opens its line.';
    return [element('p.hint', {}, hint), element('ul.flame', { 'aria-label': 'Functions and loops' }, branch(view, root, root.timeNs))];
  },
});

function branch(view: View, node: HierarchyNode, wholeNs: number): HTMLElement {
  const share = wholeNs > 0 ? node.timeNs / wholeNs : 0;
  const children = node.children.filter(child => child.timeNs / wholeNs >= LEAST_SHARE);
  const made = element('li.branch', {}, bar(view, node, share));
  made.style.flexGrow = String(node.timeNs);
  if (children.length === 0) return made;
  // what the children do not account for stays empty, so that widths compare across the whole chart
  const rest = element('li.branch.rest', { 'aria-hidden': 'true' });
  rest.style.flexGrow = String(Math.max(0, node.timeNs - children.reduce((sum, child) => sum + child.timeNs, 0)));
  made.append(element('ul.children', {}, ...children.map(child => branch(view, child, wholeNs)), rest));
  return made;
}

function bar(view: View, node: HierarchyNode, share: number): HTMLElement {
  const made = element(`button.flameBar.${node.kind}` as 'button', { type: 'button', title: text(node, share) }, label(node));
  made.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey) view.openSource(node, true);
    else if (node.kind === 'line') markLines(view, [node], false);
    else markInside(view, node);
  });
  return made;
}

const label = ({ kind, name, iterations, line }: HierarchyNode) =>
  ({ function: name, loop: `${name} × ${iterations}`, line: hasSource({ line }) ? `${line}: ${name}` : 'no source recorded' })[kind];

const text = (node: HierarchyNode, share: number) =>
  `${label(node)}${hasSource(node) ? ` (${positionText(node)})` : ''}: ${percentText(share)}, ${timeText(node.timeNs)} on the critical path, ${timeText(node.busyNs)} busy, ${plural(node.events, 'event')}`;

/** All lines below. */
function markInside(view: View, node: HierarchyNode) {
  const lines: { file: string; line: number }[] = [];
  const gather = (at: HierarchyNode) => {
    if (at.kind === 'line') lines.push({ file: at.file, line: at.line });
    at.children.forEach(gather);
  };
  gather(node);
  markLines(view, lines, false);
  const { marked } = view.state;
  if (marked) markEvents(view, { ids: marked.ids, label: `${plural(marked.ids.length, 'event')} in ${label(node)}` }, false);
}
