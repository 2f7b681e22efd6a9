/** SBUF and PSUM over time: what lies where, for one partition; hovering names it, a press opens the line that allocated it. */

import { bytesText, percentText, timeText } from '../../simulator/analyze/format';
import { SAMPLED_PARTITIONS } from '../../simulator/analyze/partitionUsage';
import { framePosition } from '../../simulator/analyze/places';
import type { Profile } from '../../simulator/profile/profile';
import { showSpan } from '../actions/navigation';
import { context2d, element, sizeCanvas } from '../dom/element';
import type { TimeSpan } from '../math/timeSpan';
import { pxToTime, spanNs } from '../math/timeSpan';
import { TextFitter } from '../render/labels';
import type { Theme } from '../render/theme';
import type { View } from '../view/view';
import { type MemoryBlock, memoryBlocks, peakBytes, SPACE_CODES } from './memoryBlocks';
import type { Tab } from './tab';

const HEIGHT_PX = 150;
/** Size of the names in the map. */
const NAME_PX = 9;
const NAME_PAD_PX = 4;
const TITLES = { sbuf: 'SBUF', psum: 'PSUM' } as const;

export function memoryTab(): Tab {
  let partition = 0;
  return {
    id: 'memory',
    title: 'Memory',
    about: 'SBUF and PSUM over time and address',
    slow: true,
    content(view) {
      if (view.model!.profile.allocations.startNs.length === 0)
        return [element('p.hint', {}, 'This profile does not say what lies in SBUF and PSUM.')];
      const picker = element('select.select', { 'aria-label': 'Partition' });
      for (const value of SAMPLED_PARTITIONS)
        picker.append(element('option', { value, selected: value === partition }, `partition ${value}`));
      const maps = element('div.memoryMaps');
      const { span, widthPx, theme } = view.state;
      const shown = { span, widthPx, theme };
      const fill = () => maps.replaceChildren(...(['sbuf', 'psum'] as const).map(memory => memoryMap(view, memory, partition, shown)));
      picker.addEventListener('change', () => {
        partition = Number(picker.value);
        fill();
      });
      // measured once it is in the page
      requestAnimationFrame(fill);
      const hint = element(
        'span.hint',
        {},
        'The visible time across, under the rows; bytes of one partition upwards. Press a tensor to see the line that allocated it.',
      );
      return [element('header', {}, picker, hint), maps];
    },
  };
}

function memoryMap(view: View, memory: keyof typeof TITLES, partition: number, shown: Shown): HTMLElement {
  const { profile } = view.model!;
  const capacity = memory === 'sbuf' ? profile.machine.sbufBytesPerPartition : profile.machine.psumBytesPerPartition;
  const blocks = memoryBlocks(profile, SPACE_CODES[memory], partition);
  const peak = peakBytes(blocks);
  const canvas = element('canvas.memoryMap', {
    tabindex: 0,
    role: 'img',
    'aria-label': `${TITLES[memory]}: at most ${bytesText(peak)} of ${bytesText(capacity)} in use`,
  });
  const top = Math.max(...blocks.map(block => block.addressBytes + block.sizeBytes), 1);
  const text = element(
    'span.where',
    {},
    `peak ${bytesText(peak)} of ${bytesText(capacity)} (${percentText(peak / capacity)}), addresses up to ${bytesText(top)}`,
  );
  const under = element('p.hint', { 'aria-live': 'off' }, ' ');
  const addresses = element('div.addresses', { 'aria-hidden': 'true' }, element('span', {}, bytesText(top)), element('span', {}, '0'));
  const box = element(
    'section.block.memory',
    {},
    element('h3', {}, TITLES[memory], text),
    element('div.memoryPlot', {}, addresses, canvas),
    under,
  );
  requestAnimationFrame(() => {
    // under the rows, so that a time is in one place in both
    canvas.style.width = `${shown.widthPx}px`;
    draw(canvas, blocks, { ...shown, top });
    const at = (event: MouseEvent) => blockAt(blocks, event, { ...shown, top });
    canvas.addEventListener('pointermove', event => {
      const block = at(event);
      under.textContent = block ? describe(profile, block) : ' ';
    });
    canvas.addEventListener('click', event => {
      const block = at(event);
      if (block) view.openSource(framePosition(profile, block.frame), false);
    });
    canvas.addEventListener('dblclick', event => {
      const block = at(event);
      if (block) showSpan(view, block);
    });
  });
  return box;
}

interface Shown {
  span: TimeSpan;
  widthPx: number;
  theme: Theme;
}

interface Map extends Shown {
  /** Highest address in use. */
  top: number;
}

function draw(canvas: HTMLCanvasElement, blocks: readonly MemoryBlock[], { span, widthPx, theme, top }: Map) {
  const context = context2d(canvas);
  sizeCanvas(canvas, context, widthPx, HEIGHT_PX);
  context.font = `${NAME_PX}px ${theme.font}`;
  context.textBaseline = 'middle';
  const fitter = new TextFitter(text => context.measureText(text).width);
  for (const block of blocks) {
    if (block.endNs < span.startNs || block.startNs > span.endNs) continue;
    const x = ((block.startNs - span.startNs) / spanNs(span)) * widthPx;
    const width = Math.max(1, ((block.endNs - block.startNs) / spanNs(span)) * widthPx);
    const height = Math.max(1, (block.sizeBytes / top) * HEIGHT_PX);
    const y = HEIGHT_PX - (block.addressBytes / top) * HEIGHT_PX - height;
    context.fillStyle = theme.series[block.series];
    context.fillRect(x, y, width, height);
    context.strokeStyle = theme.background;
    context.lineWidth = 1;
    if (height > 3 && width > 3) context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    if (height < NAME_PX + 1) continue;
    context.fillStyle = theme.barText[block.series];
    const from = Math.max(0, x);
    context.fillText(fitter.fit(block.name, x + width - from - 2 * NAME_PAD_PX), from + NAME_PAD_PX, y + height / 2);
  }
}

function blockAt(blocks: readonly MemoryBlock[], { offsetX, offsetY }: MouseEvent, { span, widthPx, top }: Map): MemoryBlock | null {
  const timeNs = pxToTime(offsetX, span, widthPx);
  const address = ((HEIGHT_PX - offsetY) / HEIGHT_PX) * top;
  const inside = (b: MemoryBlock) =>
    timeNs >= b.startNs && timeNs <= b.endNs && address >= b.addressBytes && address < b.addressBytes + b.sizeBytes;
  return blocks.find(inside) ?? null;
}

function describe(profile: Profile, block: MemoryBlock): string {
  const { line } = framePosition(profile, block.frame);
  const { addressBytes, sizeBytes, partitionStart, partitions, startNs, endNs } = block;
  return `${block.name}: 0x${addressBytes.toString(16)}, ${bytesText(sizeBytes)} in partitions ${partitionStart} to ${partitionStart + partitions - 1}, for ${timeText(endNs - startNs)}, allocated in line ${line}`;
}
