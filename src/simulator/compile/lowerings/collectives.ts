/**
 * Collectives: with other ranks an instruction that CC cores take up, which move the data by DMA rings of their own; a rank by itself moves
 * its data with its own DMA engines. How long it takes with others is `hardware/collectiveCost.ts`'s.
 */
import { triggerIssueNs } from '../../hardware/machine';
import { rankLists } from '../../program/replicaGroups';
import { ccQueueName, DGE_MODES } from '../../vocabulary/queues';
import { READ, trackOf, WRITE } from '../compiled';
import { type CompileContext, NONE } from '../context';
import { directionOf, emitDma } from '../dma';
import { COLLECTIVE_WORD } from '../operands/words';

/** As Neuron's profiles print it. */
const OPCODE = 'PSEUDO_TRIGGER_COLLECTIVE_2';

export function collective(c: CompileContext) {
  const [dst, src, metadata] = [c.operand('dst'), c.operand('src'), c.operand('metadata')];
  const reads = [metadata].filter(pattern => pattern !== NONE);
  if (ranksOf(c) > 1) emitCollective(c, { dst, reads: [src, ...reads], metadata });
  else emitDma(c, { dst, src, reads, collective: nameOf(c) });
}

export function collectiveReduce(c: CompileContext) {
  const [dst, a, b] = [c.operand('dst'), c.operand('src0'), c.operand('src1')];
  if (ranksOf(c) > 1) {
    emitCollective(c, { dst, reads: [a, b], metadata: NONE });
    return;
  }
  emitDma(c, { dst, src: a });
  emitDma(c, { dst, src: b, reads: [dst], collective: nameOf(c) });
}

/** Of the lists that meet: the longest. */
const ranksOf = (c: CompileContext) => Math.max(1, ...rankLists(c.row, name => c.attribute(name)).map(list => list.length));

function emitCollective(c: CompileContext, { dst, reads, metadata }: { dst: number; reads: number[]; metadata: number }) {
  const { code } = c;
  const [engine] = c.row.engines;
  const trigger = c.machine.dma.triggers.static!;
  code.begin(trackOf(engine), OPCODE, c.origin);
  code.access(dst, WRITE);
  if (metadata !== NONE && c.attribute('recv_counts_known') !== true) code.access(metadata, WRITE);
  for (const read of reads) code.access(read, READ);
  // the DMA engines of this core have no part in it: nothing is cut for them
  const none = new Array<number>(c.machine.dma.engines.value).fill(0);
  const cut = code.cutNumber('collective', { speed: 1, sameBurst: 0 }, () => ({ packets: none, bytes: none }));
  code.cost(triggerIssueNs(trigger, 0), trigger.leadNs.value + trigger.durationNs.value);
  code.words('', `${COLLECTIVE_WORD}${nameOf(c)} replica_group=${JSON.stringify(c.attribute(c.row.ranksAttribute!))}`);
  const channel = Number(c.attribute('channel') ?? 0);
  const queue = code.queueNumber(ccQueueName(channel), engine);
  code.transfer(queue, DGE_MODES.indexOf('static'), directionOf(c, reads[0], dst), c.patterns.tensor(dst), cut);
}

/** `all_reduce` of `nki.collectives.all_reduce`. */
const nameOf = ({ row }: CompileContext) => row.name.slice(row.name.lastIndexOf('.') + 1);
