/**
 * Versions of NKI: when each public name of today's dialect came, changed, was deprecated and was removed. This is data for the Python
 * front end (`_record/`), the checks of `program/checks/language.ts` and `docs/versions.md`. The legacy dialect has no versions here.
 *
 * Source, unless another one is named: the stubs nki/api/nki/{isa,language,collectives}/__init__.py of aws-neuron-sdk at the commit of each
 * release, compared with one another, and release-notes/components/nki.rst. For 0.7: the pages of the SDK 2.33 that could be read.
 */

export interface Release {
  version: string;
  /** Release of the Neuron SDK that has it. */
  sdk: string;
  /** First numbers of its `neuronx-cc`. */
  compiler: string;
  /** Day of the release. */
  date: string;
}

/** The oldest first. Source: release-notes/components/nki.rst and compiler.rst; release-notes/components/index of 2.33. */
export const RELEASES: readonly Release[] = [
  { version: '0.1', sdk: '2.27', compiler: '2.22', date: '2025-12-19' },
  { version: '0.2', sdk: '2.28', compiler: '2.23', date: '2026-02-26' },
  { version: '0.3', sdk: '2.29', compiler: '2.24', date: '2026-04-09' },
  { version: '0.4', sdk: '2.30', compiler: '2.25', date: '2026-05-21' },
  { version: '0.5', sdk: '2.31', compiler: '2.26', date: '2026-07-07' },
  { version: '0.6', sdk: '2.32', compiler: '2.27', date: '2026-08-17' },
  { version: '0.7', sdk: '2.33', compiler: '2.28', date: '2026-10-19' },
];

export const NKI_VERSIONS: readonly string[] = RELEASES.map(({ version }) => version);

/** The version that is used by default. */
export const NEWEST_NKI = NKI_VERSIONS[NKI_VERSIONS.length - 1];

/** Negative, 0 or positive if `a` is before, equal to or after `b`. Both are in `NKI_VERSIONS`. */
export const compareVersions = (a: string, b: string) => NKI_VERSIONS.indexOf(a) - NKI_VERSIONS.indexOf(b);

export interface VersionChange {
  version: string;
  what: string;
  /** The simulator behaves as the selected version. If absent, it behaves as the newest version in all of them. */
  followed?: true;
}

export interface Versions {
  since: string;
  changes: readonly VersionChange[];
  deprecated?: string;
  removed?: string;
  /** For a deprecated or removed name: what to write instead. */
  instead?: string;
}

/** Names by the version that added them, without `nki.`. Names that are not listed were in the first version. */
const CAME: Readonly<Record<string, readonly string[]>> = {
  '0.2': [
    'isa.exponential',
    'isa.nonzero_with_count',
    'language.float8_e4m3fn',
    'language.gelu_apprx_sigmoid_dx',
    'collectives.ReplicaGroup',
    'collectives.all_gather',
    'collectives.all_reduce',
    'collectives.all_to_all',
    'collectives.collective_permute',
    'collectives.collective_permute_implicit',
    'collectives.collective_permute_implicit_current_processing_rank_id',
    'collectives.collective_permute_implicit_reduce',
    'collectives.rank_id',
    'collectives.reduce_scatter',
  ],
  '0.3': [
    'isa.VirtualRegister',
    'language.all',
    'language.arctan',
    'language.broadcast_to',
    'language.ceil',
    'language.copy',
    'language.cos',
    'language.dropout',
    'language.dynamic_range',
    'language.empty_like',
    'language.erf',
    'language.erf_dx',
    'language.exp',
    'language.expand_dims',
    'language.floor',
    'language.fmod',
    'language.full',
    'language.gather_flattened',
    'language.gelu',
    'language.gelu_apprx_tanh',
    'language.gelu_dx',
    'language.is_hbm',
    'language.is_on_chip',
    'language.is_psum',
    'language.is_sbuf',
    'language.load',
    'language.load_transpose2d',
    'language.log',
    'language.matmul',
    'language.max',
    'language.mean',
    'language.min',
    'language.mish',
    'language.mod',
    'language.negative',
    'language.no_reorder',
    'language.ones',
    'language.prod',
    'language.rand',
    'language.random_seed',
    'language.relu',
    'language.rms_norm',
    'language.sigmoid',
    'language.sign',
    'language.silu',
    'language.silu_dx',
    'language.sin',
    'language.softmax',
    'language.softplus',
    'language.sqrt',
    'language.square',
    'language.store',
    'language.sum',
    'language.tan',
    'language.tanh',
    'language.transpose',
    'language.trunc',
    'language.var',
    'language.where',
    'language.zeros_like',
    'collectives.all_to_all_v',
  ],
  '0.4': ['isa.activate2', 'language.abs_max', 'language.abs_min', 'language.bypass', 'language.prelu'],
  '0.5': [
    'language.average',
    'language.float8_e8m0fnu',
    'language.NkiTensor.broadcast',
    'language.NkiTensor.expand_dim',
    'language.NkiTensor.flatten_dims',
    'language.NkiTensor.indirect',
    'language.NkiTensor.is_contiguous',
    'language.NkiTensor.is_indirect',
    'language.NkiTensor.permute',
    'language.NkiTensor.rearrange',
    'language.NkiTensor.reshape_dim',
    'language.NkiTensor.select',
    'language.NkiTensor.slice',
    'language.NkiTensor.squeeze_dim',
    'language.NkiTensor.vector_select',
  ],
  '0.6': ['isa.NkiInstruction', 'isa.topk', 'language.fori_loop', 'language.while_loop', 'collectives.all_gather_v'],
  '0.7': [
    'isa.NkiScalar',
    'isa.scalar_load',
    'isa.scalar_store',
    'language.NkiBlockGrid',
    'language.NkiGrid',
    'language.NkiTensor.data',
    'language.NkiTileGrid',
    'language.alloc_blocks',
    'language.alloc_tiles',
    'language.blocks',
    'language.int64',
    'language.tiles',
    'collectives.ReplicaGroup.from_partition_op',
    'collectives.all_gather_v_prepare',
    'collectives.all_gather_v_trigger',
    'collectives.all_to_all_v_prepare',
    'collectives.all_to_all_v_trigger',
    'collectives.rg_partition_op',
    'compiler.AddressRotation',
    'compiler.CompileConfig',
    'compiler.SpecializationConfig',
  ],
};

const RANGE = { deprecated: '0.7', instead: 'write range, which is the same' };
const DYNAMIC_COPY = { deprecated: '0.3', removed: '0.4', instead: 'use nisa.tensor_copy on a view by .ap() with scalar_offset' };

/** Deprecated and removed names, without `nki.`. */
const LEAVING: Readonly<Record<string, Pick<Versions, 'deprecated' | 'removed' | 'instead'>>> = {
  'isa.tensor_copy_dynamic_dst': DYNAMIC_COPY,
  'isa.tensor_copy_dynamic_src': DYNAMIC_COPY,
  'language.affine_range': RANGE,
  'language.dynamic_range': {
    deprecated: '0.6',
    removed: '0.7',
    instead: 'write the body as a function and use nl.fori_loop(lower, upper, body, step)',
  },
  'language.sequential_range': RANGE,
  'language.static_range': RANGE,
  'language.tile_size.total_available_sbuf_size': { deprecated: '0.4', instead: 'write sbuf_fmax_bytes, which is the same' },
};

/** Names of AWS's documents that are refused, without `nki.`: the reason, and what to use instead. */
export const REFUSED: Readonly<Record<string, string>> = {
  'collectives.reduce_scatter_v': "AWS's documents do not give its parameters; use reduce_scatter",
  'isa.NkiInstruction.depends_on': 'instructions wait for what they read and write; kernel.with_schedule adds other waits, by name',
  'language.NkiTensor.indirect':
    "AWS's documents do not say which offsets the groups of partitions of a tall tile take, nor their dtype; use nisa.local_gather",
  'language.psum.view': "AWS's reference does not have it; use nl.ndarray(shape, dtype, buffer=nl.psum, address=(partition, byte))",
};

/** Changes of names that still exist, without `nki.`. */
const CHANGED: readonly (VersionChange & { name: string })[] = [
  { name: 'isa.dma_copy', version: '0.3', what: 'no dst_rmw_op and unique_indices: nisa.dma_compute has them; does not read PSUM' },
  { name: 'isa.dma_compute', version: '0.3', what: 'reduce_op before scales, which may be left out' },
  { name: 'isa.affine_select', version: '0.3', what: 'offset is behind cmp_op, and 0 where it is left out' },
  { name: 'isa.register_move', version: '0.3', what: 'the parameter imm is src, and takes a register too' },
  { name: 'isa.tensor_reduce', version: '0.3', what: 'axis counts from the front; before, axis 1 was the last one', followed: true },
  { name: 'isa.nc_matmul', version: '0.2', what: 'the parameter is_moving_zero is is_moving_onezero' },
  { name: 'isa.nc_matmul', version: '0.3', what: 'accumulate: whether it adds to PSUM' },
  { name: 'isa.nc_matmul', version: '0.5', what: 'a destination of bfloat16 holds 8192 elements' },
  { name: 'isa.sendrecv', version: '0.3', what: 'dma_engine instead of use_gpsimd_dma' },
  { name: 'isa.dma_transpose', version: '0.4', what: 'dst has as many axes as src', followed: true },
  { name: 'isa.dma_transpose', version: '0.6', what: 'rows of 1, 2, 4, 8 or 16 and columns up to 128 by the hardware queues' },
  { name: 'isa.dma_compute', version: '0.4', what: 'oob_mode' },
  { name: 'isa.quantize_mx', version: '0.5', what: 'scales are twice those of the sample of the OCP text' },
  { name: 'isa.tensor_scalar_reduce', version: '0.6', what: 'reduce_res may be None; reduce_res_negate' },
  { name: 'isa.nc_find_index8', version: '0.6', what: 'all ones where a value is not found' },
  { name: 'isa.activation_reduce', version: '0.7', what: 'reduce_op is nl.add on every machine', followed: true },
  { name: 'isa.core_barrier', version: '0.7', what: 'also where the kernel runs on one core' },
  { name: 'language.rsqrt', version: '0.5', what: 'on GpSimdE, and not from PSUM' },
  { name: 'language.copy', version: '0.6', what: 'on VectorE, bit by bit where dtypes are the same' },
  {
    name: 'collectives.all_reduce',
    version: '0.7',
    what: 'tensors all in private or all in shared HBM; on one core private',
    followed: true,
  },
];

/** Parameters that were renamed in a version. The quick fix of the editor writes the new name. */
export const RENAMED_PARAMETERS: readonly { function: string; version: string; from: string; to: string }[] = [
  { function: 'isa.nc_matmul', version: '0.2', from: 'is_moving_zero', to: 'is_moving_onezero' },
  { function: 'isa.register_move', version: '0.3', from: 'imm', to: 'src' },
];

/** Changes of the language itself, not of a name. */
export const LANGUAGE_CHANGES: readonly VersionChange[] = [
  { version: '0.3', what: 'names of memories and numbers of enums are refused: objects and members instead' },
  // nki/get-started/quickstart-implement-run-kernel.rst from 2.27 to 2.29. No document calls the keywords an error in a later version.
  { version: '0.3', what: 'AWS writes nl.ndarray for sbuf.view and hbm.view; all versions have them, and the keywords sbuf and hbm' },
  { version: '0.4', what: 'neuronxcc.nki.* inside a kernel is an error' },
  {
    version: '0.7',
    what: 'a register in if, while, int() and range() is an error: it has no value while the kernel is traced',
    followed: true,
  },
  { version: '0.7', what: 'all of Python is taken, classes without nl.NKIObject, `is`, dictionaries and generators too', followed: true },
];

const since = new Map(Object.entries(CAME).flatMap(([version, names]) => names.map((name): [string, string] => [`nki.${name}`, version])));

/** The versions of a public name, given in full: `nki.isa.topk`. */
export function versionsOf(name: string): Versions {
  const changes = CHANGED.filter(change => `nki.${change.name}` === name).map(({ name: _, ...change }) => change);
  return { since: since.get(name) ?? RELEASES[0].version, changes, ...LEAVING[name.slice('nki.'.length)] };
}

/** The names in this file, in full. */
export const versionedNames: readonly string[] = [
  ...new Set([...since.keys(), ...[...Object.keys(LEAVING), ...CHANGED.map(({ name }) => name)].map(name => `nki.${name}`)]),
].sort();

/** For `table.json`: the data that Python needs for names that are not in all versions. */
export const versionsForPython = () => ({
  nkiVersions: NKI_VERSIONS,
  refused: Object.fromEntries(Object.entries(REFUSED).map(([name, why]) => [`nki.${name}`, why])),
  versioned: Object.fromEntries(versionedNames.map(name => [name, versionsOf(name)])),
});
