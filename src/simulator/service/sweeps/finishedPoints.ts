/**
 * The points that have run, kept on the disk, so that a sweep goes on where it was stopped and no point runs twice. A line of JSON for each
 * point is appended as soon as it has finished. What is cut off by a crash is left out when the file is read.
 *
 * A point is the same if its request, the model and the text of the kernel's file are, and if every file that it read is as it was.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { CaptureRequest } from '../../session/capture';
import type { VariantResult } from '../../variants/result';
import { cacheFolder } from '../cacheFolder';

interface FinishedPoint {
  key: string;
  /** Path of each file that was read, and the hash of its content. */
  files: [file: string, hash: string][];
  result: VariantResult;
}

/** Of one file of points. A larger one is begun anew. */
const MOST_BYTES = 256 * 2 ** 20;
/** Of a file that a kernel read. A point that read a larger one runs again. */
const MOST_READ_BYTES = 64 * 2 ** 20;

export class FinishedPoints {
  /** Of a key, one for each state of the files that were read. */
  private readonly known = new Map<string, FinishedPoint[]>();
  private readonly hashes = new Map<string, string | null>();
  private readonly place: string;
  private file: number | null = null;

  /**
   * @param folder where the files of points lie @param model `modelVersion`
   * @param source the kernel's file: its points are in one file
   */
  constructor(
    folder: string,
    private readonly model: string,
    source: string,
  ) {
    this.place = path.join(folder, `${path.basename(source, '.py')}-${sha256(source).slice(0, 16)}.jsonl`);
    this.read();
  }

  /** The result of the point, if it has run with the same files. */
  find(key: string): VariantResult | null {
    const isSame = ({ files }: FinishedPoint) => files.every(([file, hash]) => this.hashOf(file) === hash);
    return this.known.get(key)?.find(isSame)?.result ?? null;
  }

  /** @param root the folder that the kernel could read; what it says that it read elsewhere is not looked at */
  add(key: string, result: VariantResult, root: string, readFiles: readonly string[]) {
    const folder = fs.realpathSync.native(root);
    const files: [string, string][] = [];
    for (const file of readFiles) {
      const isInside = !path.relative(folder, file).startsWith('..') && path.isAbsolute(file);
      const hash = isInside ? this.hashOf(file) : null;
      if (hash === null) return;
      files.push([file, hash]);
    }
    const point: FinishedPoint = { key, files, result };
    this.remember(point);
    this.append(point);
  }

  close() {
    if (this.file !== null) fs.closeSync(this.file);
    this.file = null;
  }

  /** The key of a request: everything that decides its result, but the files that it reads. */
  keyOf(request: CaptureRequest): string {
    const inputs = Object.values(request.inputs ?? {}).map(file => [file, this.hashOf(file)]);
    return sha256(JSON.stringify([this.model, sorted(request), inputs]));
  }

  private remember(point: FinishedPoint) {
    this.known.set(point.key, [...(this.known.get(point.key) ?? []), point]);
  }

  private append(point: FinishedPoint) {
    if (this.file === null) {
      fs.mkdirSync(path.dirname(this.place), { recursive: true, mode: 0o700 });
      this.file = fs.openSync(this.place, 'a', 0o600);
    }
    fs.writeSync(this.file, `${JSON.stringify({ model: this.model, ...point })}\n`);
  }

  private read() {
    const stat = fs.statSync(this.place, { throwIfNoEntry: false });
    if (!stat?.isFile()) return;
    if (stat.size > MOST_BYTES) {
      fs.rmSync(this.place);
      return;
    }
    const text = fs.readFileSync(this.place, 'utf8');
    // a line that a crash cut off must not swallow the next one
    if (text !== '' && !text.endsWith('\n')) fs.appendFileSync(this.place, '\n');
    for (const line of text.split('\n')) {
      const point = parsed(line);
      if (point?.model === this.model) this.remember(point);
    }
  }

  /** Null of what is no regular file, or too large. */
  private hashOf(file: string): string | null {
    const known = this.hashes.get(file);
    if (known !== undefined) return known;
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    const hash = stat?.isFile() && stat.size <= MOST_READ_BYTES ? sha256(fs.readFileSync(file)) : null;
    this.hashes.set(file, hash);
    return hash;
  }
}

/** Where points are kept unless somebody says otherwise. */
export const pointsFolder = (...where: Parameters<typeof cacheFolder>): string => path.join(cacheFolder(...where), 'points');

function parsed(line: string): (FinishedPoint & { model: string }) | null {
  try {
    const point = JSON.parse(line) as FinishedPoint & { model: string };
    return typeof point.key === 'string' && Array.isArray(point.files) && typeof point.result === 'object' ? point : null;
  } catch {
    return null;
  }
}

/** Equal for equal values, whatever the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, own]) => [name, sorted(own)]),
  );
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
