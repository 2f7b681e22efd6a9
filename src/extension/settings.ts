/** The only reader of configuration: settings come out as one plain object. Their defaults and texts are in package.json. */
import path from 'node:path';
import type { CaptureRequest, Limits, Numerics, Pipeline } from '../simulator/index';

export interface ExtensionSettings {
  /** As set: `auto` or a name. */
  target: string;
  /** As set: `auto` or a version. */
  nkiVersion: string;
  numerics: Numerics;
  inputs: 'zeros' | 'random';
  pipeline: Pipeline;
  dge: 'auto' | 'off';
  /** Empty: the bundled interpreter. */
  pythonPath: string;
  /** AWS's reader of recordings; empty: the one on the PATH. */
  neuronToolPath: string;
  /** Folders in which kernels may have profiles saved. */
  profileFolders: string[];
  /** Of scripts: Python's time between kernel calls is measured. */
  hostTime: boolean;
  hints: { enabled: boolean /** Smallest share of the total time, 0..1. */; threshold: number };
  live: { when: LiveWhen; delayMs: number /** A run that takes longer waits for a save, or for the user. */; maxSeconds: number };
  limits: Limits;
}

/** When a file that was profiled is profiled again by itself. */
export type LiveWhen = 'off' | 'onSave' | 'afterPause';

/** The part of `vscode.WorkspaceConfiguration` that is used. */
export interface Configuration {
  get<T>(key: string): T | undefined;
}

/** @param configuration of the section `nkiScope` */
export function readSettings(configuration: Configuration): ExtensionSettings {
  const get = <T>(key: string) => configuration.get<T>(key) as T;
  return {
    target: get('target'),
    nkiVersion: get('nkiVersion'),
    numerics: get('numerics'),
    inputs: get('inputs'),
    pipeline: get('pipeline'),
    dge: get('dge'),
    pythonPath: get<string>('pythonPath').trim(),
    neuronToolPath: get<string>('neuronToolPath').trim(),
    profileFolders: get<string[]>('profileFolders').filter(folder => path.isAbsolute(folder)),
    hostTime: get('hostTime'),
    hints: { enabled: get('hints.enabled'), threshold: get<number>('hints.threshold') / 100 },
    live: { when: get('live.when'), delayMs: get('live.delayMs'), maxSeconds: get('live.maxSeconds') },
    limits: { instructions: get('limits.instructions'), seconds: get('limits.seconds'), memoryMb: get('limits.memoryMb') },
  };
}

/** The fields of every request that come from the settings. */
export function requestDefaults(settings: ExtensionSettings): Partial<CaptureRequest> {
  return {
    // Without a target the simulator reads the environment, as AWS's tools do.
    target: settings.target === 'auto' ? undefined : settings.target,
    nkiVersion: settings.nkiVersion === 'auto' ? undefined : settings.nkiVersion,
    numerics: settings.numerics,
    fill: settings.inputs,
    pipeline: settings.pipeline,
    dge: settings.dge,
    python: settings.pythonPath || undefined,
    limits: settings.limits,
    hostTime: settings.hostTime || undefined,
    profileFolders: settings.profileFolders.length > 0 ? settings.profileFolders : undefined,
  };
}
