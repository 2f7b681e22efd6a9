/** The fields of the search: the table for the parser, the search and the help. */

export interface FieldName {
  /** First the short name, then the name in Neuron's viewers. */
  names: readonly string[];
  number: boolean;
  about: string;
  example: string;
}

const text = (names: string, about: string, example: string): FieldName => ({ names: names.split(' '), number: false, about, example });
const number = (names: string, about: string, example: string): FieldName => ({ names: names.split(' '), number: true, about, example });

export const FIELDS: readonly FieldName[] = [
  text('kind category', 'instruction or dma', 'kind:dma'),
  text('opcode', 'machine instruction', 'opcode:MATMUL'),
  text('operands', 'operands, with the semaphores it waits for and raises', 'operands:/transpose_mode=ENABLED/'),
  text('engine', 'engine that ran it, or that triggered the DMA', 'engine:Vector'),
  text('track row', 'row it is drawn on', 'track:TensorMatrix'),
  text('queue dma_queue', 'DMA queue', 'queue:qSyncIO0'),
  text('tensor variable', 'tensor that a DMA moves', 'tensor:lhs_t'),
  text('direction', 'memories of a DMA', 'direction:hbm->sbuf'),
  text('line nki_source_location', 'file:line of it and of its callers; /./ finds all', 'line:/softmax.py:2\\d$/'),
  text('function', 'function it is written in, or called from', 'function:load_tile'),
  text('layer', 'layer of the model or kernel; /./ finds all in layers', 'layer:block.0/mlp'),
  text('loop iteration', 'loop variables', 'loop:i=3'),
  text('stall wait_reason', 'why it waited', 'stall:queue'),
  number('duration', 'end − start', 'duration>1us'),
  number('wait evt_wait_time', 'start − ready', 'wait>500ns'),
  number('start timestamp', 'time of its start', 'start>10us'),
  number('end', 'time of its end', 'end<20us'),
  number('bytes transfer_size', 'payload of a DMA', 'bytes<32KiB'),
  number('flops', 'floating-point operations', 'flops>1e6'),
];

export const FIELD_NAMES = FIELDS.flatMap(field => field.names);

/** The short name, or null for none of ours. */
export const resolveField = (name: string) => FIELDS.find(({ names }) => names.includes(name.toLowerCase()))?.names[0] ?? null;
export const isNumberField = (field: string) => FIELDS.find(({ names }) => names[0] === field)?.number ?? false;
