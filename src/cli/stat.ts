/** What lies at a place that the user named: a fault of the disk (a loop of links, a folder that is closed) is a sentence, not a stack. */
import fs from 'node:fs';
import { UsageError } from './errors';
import { diskWords } from './output';

/** undefined when nothing is there. @param named as the user wrote it. @throws UsageError */
export function statOf(place: string, named: string = place): fs.Stats | undefined {
  try {
    return fs.statSync(place, { throwIfNoEntry: false });
  } catch (error) {
    throw new UsageError(`${named}: ${diskWords(error as NodeJS.ErrnoException)}`);
  }
}
