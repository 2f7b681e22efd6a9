/**
 * The kernel's own structure with the time in it: functions, the lines that call or loop, iterations folded into their
 * loops. `timeNs` is time of the critical path (as in `lines.ts`), so siblings never sum to more than their parent;
 * `busyNs` is the sum of durations, which may overlap. FLOPs and bytes are those of what a node asked for.
 */
import { READS_HBM, WRITES_HBM } from '../compile/directions';
import type { Profile } from '../profile/profile';
import { criticalPath } from './criticalPath';
import { eventColumn } from './eventAccess';
import { type MovingWidth, movingWidth, ofLists } from './operandBytes';
import { statementReader } from './places';
import { transposes } from './totals';

export interface HierarchyNode {
  kind: 'function' | 'loop' | 'line';
  /** Function name, loop variable, or source text. */
  name: string;
  file: string;
  /** 1-based; of a function its call site, the first line seen for the kernel itself. */
  line: number;
  events: number;
  timeNs: number;
  busyNs: number;
  /** Time in which its matmuls streamed, of all cores added up. */
  tensorNs: number;
  /** FLOPs of matmuls by the width of the streamed data, without transposes. */
  flops: Record<MovingWidth, number>;
  hbmReadBytes: number;
  hbmWriteBytes: number;
  /** Distinct iterations of a loop; 1 otherwise. */
  iterations: number;
  children: HierarchyNode[];
}

/** The root stands for the kernel. Children by time, longest first. */
export function hierarchy(p: Profile): HierarchyNode {
  const tree = new Tree(p);
  countInstructions(p, tree);
  countTransfers(p, tree);
  const path = criticalPath(p);
  const [frame, iteration] = [eventColumn(p, 'frame'), eventColumn(p, 'iteration')];
  for (let s = 0; s < path.event.length; s++) {
    const event = path.event[s];
    if (event < 0) continue;
    tree.nodeOf(frame(event), iteration(event)).timeNs += path.endNs[s] - path.startNs[s];
  }
  return tree.finish();
}

// Two loops over whole columns: in the page each reading of one goes through a getter.

function countInstructions(p: Profile, tree: Tree) {
  const { frame, iteration, startNs, endNs, track, operands, flops } = p.instructions;
  const transposing = transposes(p);
  const widths = ofLists(p, list => movingWidth(p, list));
  const streams = new Streams(p.tracks.length);
  for (let i = 0; i < frame.length; i++) {
    const node = tree.nodeOf(frame[i], iteration[i]);
    node.events++;
    node.busyNs += endNs[i] - startNs[i];
    if (!(flops[i] > 0) || transposing[i] === 1) continue;
    node.flops[widths[operands[i]]] += flops[i];
    node.tensorNs += streams.newNs(node, track[i], startNs[i], endNs[i]);
  }
}

function countTransfers(p: Profile, tree: Tree) {
  const { frame, iteration, startNs, endNs, direction, bytes } = p.transfers;
  for (let t = 0; t < frame.length; t++) {
    const node = tree.nodeOf(frame[t], iteration[t]);
    node.events++;
    node.busyNs += endNs[t] - startNs[t];
    if (READS_HBM[direction[t]]) node.hbmReadBytes += bytes[t];
    if (WRITES_HBM[direction[t]]) node.hbmWriteBytes += bytes[t];
  }
}

/** How far the matmuls of each node have streamed. */
class Streams {
  /** Node -> end of its matmuls so far, by track. */
  private readonly reachedNs = new Map<HierarchyNode, Float64Array>();

  constructor(private readonly tracks: number) {}

  /** What lies past what streamed so far on its track. */
  newNs(node: HierarchyNode, track: number, startNs: number, endNs: number): number {
    let reached = this.reachedNs.get(node);
    if (!reached) {
      reached = new Float64Array(this.tracks).fill(Number.NEGATIVE_INFINITY);
      this.reachedNs.set(node, reached);
    }
    const fromNs = Math.max(startNs, reached[track]);
    reached[track] = Math.max(reached[track], endNs);
    return Math.max(0, endNs - fromNs);
  }
}

/** The node of a line inside the same loops. */
interface LineInLoops {
  node: HierarchyNode;
  /** Those loops, outermost first. */
  loops: readonly Loop[];
  /** That has counted for these loops last; -2: none. */
  iteration: number;
}

interface Loop {
  node: HierarchyNode;
  /** From 1. */
  number: number;
  /** Iterations that have counted. */
  iterations: number;
  /** Those that have counted for another loop before. */
  shared: Set<number>;
}

class Tree {
  private readonly root: HierarchyNode;
  /** Key: frame and the loops around it, without their iterations. */
  private readonly places = new Map<number, LineInLoops>();
  private readonly childOf = new Map<HierarchyNode, Map<string, HierarchyNode>>();
  private readonly loopOf = new Map<HierarchyNode, Loop>();
  /** Iteration -> the number of the loop for which it counted first; 0: none. Nearly all count for one only. */
  private readonly firstLoop: Uint32Array;
  private readonly text: ReturnType<typeof statementReader>;
  /** Iteration -> number of its loop within the outer loops. */
  private readonly nest: Uint32Array;

  constructor(private readonly p: Profile) {
    this.text = statementReader(p);
    this.root = this.make('function', p.kernel, p.files[0]?.path ?? '', 1);
    this.nest = nests(p.iterations);
    this.firstLoop = new Uint32Array(p.iterations.parent.length);
  }

  /** The line node of a frame inside its loops. Loops stand where their `for` is: in the function whose lines enclose it. */
  nodeOf(frame: number, iteration: number): HierarchyNode {
    const key = (frame + 1) * (this.nest.length + 1) + (iteration < 0 ? 0 : 1 + this.nest[iteration]);
    let place = this.places.get(key);
    if (!place) {
      place = this.build(frame, iteration);
      this.places.set(key, place);
    }
    if (iteration !== place.iteration) this.count(place.loops, iteration);
    place.iteration = iteration;
    return place.node;
  }

  finish(): HierarchyNode {
    const total = (node: HierarchyNode): HierarchyNode => {
      for (const child of node.children.map(total)) {
        node.events += child.events;
        node.timeNs += child.timeNs;
        node.busyNs += child.busyNs;
        node.tensorNs += child.tensorNs;
        node.hbmReadBytes += child.hbmReadBytes;
        node.hbmWriteBytes += child.hbmWriteBytes;
        for (const width of Object.keys(node.flops) as MovingWidth[]) node.flops[width] += child.flops[width];
      }
      node.children.sort((a, b) => b.timeNs - a.timeNs || b.busyNs - a.busyNs);
      return node;
    };
    return total(this.root);
  }

  private build(frame: number, iteration: number): LineInLoops {
    const { frames, iterations, files, strings } = this.p;
    const loops: number[] = [];
    for (let i = iteration; i >= 0; i = iterations.parent[i]) loops.unshift(i);
    const stack: number[] = [];
    for (let f = frame; f >= 0; f = frames.parent[f]) stack.unshift(f);
    const around: Loop[] = [];
    let node = this.root;
    for (const [depth, f] of stack.entries()) {
      const file = files[frames.file[f]].path;
      const leaf = depth === stack.length - 1;
      // a loop's line is known, not its file: it belongs here when it is above this frame's line, and innermost loops come last
      while (loops.length > 0 && (leaf || iterations.line[loops[0]] <= frames.line[f])) {
        const i = loops.shift()!;
        node = this.child(node, 'loop', `for ${strings[iterations.name[i]]}`, file, iterations.line[i]);
        around.push(this.loopOf.get(node)!);
      }
      node = leaf
        ? this.child(node, 'line', this.text(frames.file[f], frames.line[f]), file, frames.line[f])
        : this.child(node, 'function', strings[frames.function[stack[depth + 1]]], file, frames.line[f]);
    }
    return { node, loops: around, iteration: -2 };
  }

  /** An iteration counts for its loop, as do those around it for theirs. */
  private count(loops: readonly Loop[], iteration: number) {
    const { parent } = this.p.iterations;
    for (let depth = loops.length - 1, i = iteration; depth >= 0; depth--, i = parent[i]) {
      const loop = loops[depth];
      if (!this.isNew(loop, i)) return;
      loop.node.iterations = ++loop.iterations;
    }
  }

  /** Whether the iteration has not counted for this loop. */
  private isNew({ number, shared }: Loop, iteration: number): boolean {
    const first = this.firstLoop[iteration];
    if (first === number) return false;
    if (first === 0) this.firstLoop[iteration] = number;
    else if (shared.has(iteration)) return false;
    else shared.add(iteration);
    return true;
  }

  private child(parent: HierarchyNode, kind: HierarchyNode['kind'], name: string, file: string, line: number): HierarchyNode {
    const children = this.childOf.get(parent)!;
    const key = `${kind} ${name} ${file}:${line}`;
    let node = children.get(key);
    if (!node) {
      node = this.make(kind, name, file, line);
      children.set(key, node);
      parent.children.push(node);
    }
    return node;
  }

  private make(kind: HierarchyNode['kind'], name: string, file: string, line: number): HierarchyNode {
    const node: HierarchyNode = {
      kind,
      name,
      file,
      line,
      events: 0,
      timeNs: 0,
      busyNs: 0,
      tensorNs: 0,
      flops: { fp32: 0, bf16: 0, fp8: 0 },
      hbmReadBytes: 0,
      hbmWriteBytes: 0,
      iterations: 1,
      children: [],
    };
    this.childOf.set(node, new Map());
    if (kind === 'loop') this.loopOf.set(node, { node, number: this.loopOf.size + 1, iterations: 0, shared: new Set() });
    return node;
  }
}

/** Iteration -> a number that iterations of the same loop within the same outer loops share. */
function nests({ parent, name, line }: Profile['iterations']): Uint32Array {
  const inside = new Map<number, Map<string, number>>();
  const result = new Uint32Array(parent.length);
  let nests = 0;
  let before = -1;
  for (let i = 0; i < parent.length; i++) {
    // as a rule the next iteration of the same loop
    if (before >= 0 && parent[i] === parent[before] && name[i] === name[before] && line[i] === line[before]) result[i] = result[before];
    else {
      const outer = parent[i] < 0 ? -1 : result[parent[i]];
      if (!inside.has(outer)) inside.set(outer, new Map());
      const loops = inside.get(outer)!;
      const key = `${name[i]}:${line[i]}`;
      if (!loops.has(key)) loops.set(key, nests++);
      result[i] = loops.get(key)!;
    }
    before = i;
  }
  return result;
}
