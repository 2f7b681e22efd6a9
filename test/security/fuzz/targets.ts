/** The fuzzers by name. Each is imported when it is asked for: its originals take time to make. */
import type { FuzzTarget } from './target';

export const TARGETS: Readonly<Record<string, () => Promise<FuzzTarget>>> = {
  nkiprof: async () => (await import('./nkiprofTarget')).nkiprofTarget,
  'capture-json': async () => (await import('./captureTargets')).captureJsonTarget,
  'capture-parquet': async () => (await import('./captureTargets')).captureParquetTarget,
  'system-json': async () => (await import('./systemTargets')).systemJsonTarget,
  'system-parquet': async () => (await import('./systemTargets')).systemParquetTarget,
  'system-perfetto': async () => (await import('./systemTargets')).systemPerfettoTarget,
  ntff: async () => (await import('./ntffTarget')).ntffTarget,
  replay: async () => (await import('./captureTargets')).replayTarget,
  writers: async () => (await import('./writersTarget')).writersTarget,
  wire: async () => (await import('./wireTarget')).wireTarget,
  values: async () => (await import('./smallTargets')).valuesTarget,
  npy: async () => (await import('./smallTargets')).npyTarget,
  cases: async () => (await import('./smallTargets')).casesTarget,
};
