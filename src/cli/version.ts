/** The product's version: that of the manifest beside the bundles. */
import fs from 'node:fs';
import path from 'node:path';

export function productVersion(dist: string): string {
  try {
    return String(JSON.parse(fs.readFileSync(path.join(dist, '..', 'package.json'), 'utf8')).version);
  } catch {
    return 'unknown';
  }
}
