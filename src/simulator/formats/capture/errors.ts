/** An error that the machine reported: a row of the table `Error` of Neuron Explorer's schema, or of the legacy JSON with its fields. */
import type { Capture } from './rows';
import { amount, type FileRow, text } from './values';

export const errorOf = (row: FileRow): Capture['errors'][number] => ({
  timeNs: amount(row, 'timestamp'),
  type: text(row, 'type'),
  description: text(row, 'description'),
});
