/**
 * The roofline of a kernel: FLOP/s against FLOPs per byte of HBM traffic (Williams, Waterman and Patterson, 2009), under one roof for each
 * dtype that its matmuls stream, and a slope that is the rate at which DMA engines move this kernel's bytes, not the memory's peak. The
 * kernel, its loops and its matmul lines are points. The roofs may be those of another target. No drawing, no verdict.
 */
import { hbmMovingNs, type Machine } from '../hardware/machine';
import type { Profile } from '../profile/profile';
import type { HierarchyNode } from './hierarchy';
import { machineOf } from './machineOf';
import { bf16Flops, type MovingWidth } from './operandBytes';
import type { Position } from './places';

/** Peak of the target's PE array for operands of this width. */
export interface Roof {
  width: MovingWidth;
  flopsPerSecond: number;
  /** FLOPs of the kernel with operands of this width, those of transposes left out. */
  flops: number;
}

export interface RooflinePoint extends Position {
  kind: 'kernel' | 'loop' | 'line';
  name: string;
  flops: number;
  /** FLOPs per byte of HBM traffic; of a line, those of the loop that it stands in. */
  intensity: number;
  /** While it is on the critical path; of a line, while it runs. */
  flopsPerSecond: number;
  /** Share of the peak for the widths that it streams, on the profile's own target. */
  peakShare: number;
}

export interface Roofline {
  target: string;
  /** HBM bytes per second that the DMA engines reach with this kernel's loads and stores. */
  bytesPerSecond: number;
  /** Highest first: of every width, those without FLOPs of this kernel too. */
  roofs: Roof[];
  /** The kernel first, then those with most FLOPs. */
  points: RooflinePoint[];
}

/** Loops and lines beyond these would hide each other. */
const MOST_POINTS = 12;
const WIDTHS: readonly MovingWidth[] = ['fp8', 'bf16', 'fp32'];

/** Null for kernels without matmuls or without HBM traffic. @param target whose roofs; the profile's own by default */
export function roofline(p: Profile, tree: HierarchyNode, target = p.target): Roofline | null {
  if (!(useful(tree) > 0) || tree.hbmReadBytes + tree.hbmWriteBytes === 0) return null;
  const machine = machineOf({ target });
  const cores = p.machine.cores ?? 1;
  const bytesPerSecond = ((tree.hbmReadBytes + tree.hbmWriteBytes) / hbmNs(tree, machine, cores)) * 1e9;
  const roofs = WIDTHS.map(width => ({ width, flopsPerSecond: peakFlops(machine, width, cores), flops: tree.flops[width] }));
  return { target, bytesPerSecond, roofs: roofs.sort((a, b) => b.flopsPerSecond - a.flopsPerSecond), points: points(p, tree) };
}

/** FLOPs of all matmuls, without transposes. */
export const useful = ({ flops }: Pick<HierarchyNode, 'flops'>) => WIDTHS.reduce((sum, width) => sum + flops[width], 0);

/** Widths of which there are FLOPs. */
export const usedWidths = (flops: HierarchyNode['flops']) => WIDTHS.filter(width => flops[width] > 0);

/** FLOP/s of the PE arrays of so many cores. */
export const peakFlops = (machine: Machine, width: MovingWidth, cores: number) =>
  (cores * machine.peakFlops.value) / bf16Flops(machine, width);

/** Time of its HBM traffic at the rate of all DMA engines, ns. */
export function hbmNs(
  { hbmReadBytes, hbmWriteBytes }: Pick<HierarchyNode, 'hbmReadBytes' | 'hbmWriteBytes'>,
  machine: Machine,
  cores: number,
): number {
  return hbmMovingNs(machine, hbmReadBytes, hbmWriteBytes, cores);
}

/** Time of its FLOPs at the peak of their widths, ns. */
export const peakNs = ({ flops }: Pick<HierarchyNode, 'flops'>, machine: Machine, cores: number) =>
  WIDTHS.reduce((ns, width) => ns + (flops[width] / peakFlops(machine, width, cores)) * 1e9, 0);

function points(p: Profile, tree: HierarchyNode): RooflinePoint[] {
  const machine = machineOf(p);
  const cores = p.machine.cores ?? 1;
  const found: RooflinePoint[] = [];
  const add = (node: HierarchyNode, kind: RooflinePoint['kind'], around: HierarchyNode, timeNs: number) => {
    const [flops, bytes] = [useful(node), around.hbmReadBytes + around.hbmWriteBytes];
    if (!(flops > 0 && bytes > 0 && timeNs > 0)) return;
    const { name, file, line } = node;
    const shares = { flopsPerSecond: (flops / timeNs) * 1e9, peakShare: peakNs(node, machine, cores) / timeNs };
    found.push({ kind, name, file, line, flops, intensity: useful(around) / bytes, ...shares });
  };
  const visit = (node: HierarchyNode, around: HierarchyNode) => {
    if (node.kind === 'loop') add(node, 'loop', node, node.timeNs);
    if (node.kind === 'line') add(node, 'line', around, node.tensorNs / cores);
    for (const child of node.children) visit(child, node.kind === 'loop' && node.hbmReadBytes + node.hbmWriteBytes > 0 ? node : around);
  };
  visit(tree, tree);
  found.sort((a, b) => b.flops - a.flops);
  const most = found.slice(0, MOST_POINTS);
  found.length = 0;
  add(tree, 'kernel', tree, p.bodyEndNs - p.bodyStartNs);
  return [...found, ...most];
}
