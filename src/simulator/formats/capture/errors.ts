/** An error that the machine reported: a row of the table `Error` of Neuron Explorer's schema, or of the legacy JSON with its fields. */
import type { Capture } from './rows';
import { amount, type Row, text } from './values';

export const errorOf = (row: Row): Capture['errors'][number] => ({
  timeNs: amount(row, 'timestamp'),
  type: text(row, 'type'),
  description: text(row, 'description'),
});
