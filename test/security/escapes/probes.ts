/** The probes by category, and how each is run. `escapes.test.ts` holds that every file is here and every name is a file. */

/** Categories that run in one interpreter, one probe after another. */
export const TOGETHER: Record<string, readonly string[]> = {
  javascript: [
    'async_text_to_code',
    'converters',
    'create_proxy_by_gc',
    'evaluating_frame',
    'event_loop',
    'every_hidden_function',
    'finder_revived',
    'frames_up',
    'proxies_by_gc',
    'proxy_types',
    'pyodide_submodules',
    'run_js_by_gc',
    'sources_of_pyodide',
    'text_to_code',
    'to_js_by_gc',
    'traceback_frames',
  ],
  interpreter: [
    'bootstrap_functions',
    'closure_of_create_builtin',
    'descriptors',
    'encodings',
    'fresh_imp',
    'imp_by_load_module',
    'kill_host',
    'marshal_code',
    'locals_by_bytecode',
    'name_that_hides',
    'native_functions',
    'native_processes',
    'native_socket',
    'pickle_reduce',
    'runtime_facts',
    'threads',
  ],
  files: [
    'absolute_paths',
    'descriptors_by_name',
    'descriptors_by_number',
    'environment_variables',
    'imports_outside',
    'links_made',
    'links_out',
    'long_paths',
    'odd_names',
    'package_folder',
    'parent_paths',
    'process_files',
    'readers_of_the_library',
    'special_files',
    'standard_input',
    'working_folder',
  ],
  writes: ['devices', 'inside', 'libraries', 'outside', 'saved_folders', 'saved_names', 'saved_over'],
  protocol: [
    'calls_of_objects',
    'forged_peek',
    'forged_program',
    'huge_arrays',
    'job_again',
    'odd_operations',
    'other_arrays',
    'polluting_headers',
  ],
};

/** What leaves the interpreter or the wire in another state than it found it: each has its own. */
export const ALONE: Record<string, readonly string[]> = {
  javascript: [
    'command_line_by_poison',
    'descriptors_by_poison',
    'environment_by_poison',
    'file_by_poison',
    'live_intrinsics',
    'own_profile',
    'object_prototype',
    'saved_profile_by_poison',
  ],
  interpreter: [
    'remote_debugging',
    'spec_with_two_names',
    'native_system',
    'crafted_bytecode',
    'subinterpreter',
    'subclasses',
    'modules_revived',
    'closure_rewritten',
    'code_replaced',
    'finders_reordered',
    'forged_proxy',
    'import_hooks',
    'native_call',
    'native_script',
    'side_module',
  ],
  files: ['overlay_outside'],
  protocol: ['endless_header', 'forged_end', 'huge_lengths', 'interleaved', 'odd_headers'],
  afterwards: ['calls_after_end', 'finalisers', 'patched_front_end', 'signals', 'tracing'],
};

/** Needs another process that swaps what it opens. */
export const RACES: Record<string, readonly string[]> = { files: ['swapped_links'] };

/** What takes all it can get: each under its own bound. */
export const LIMITS: Record<string, readonly string[]> = {
  limits: ['deaf_loop', 'endless_regex', 'memory_host', 'memory_python', 'memory_zeros', 'print_flood', 'process_bomb', 'recursion'],
};
/** Long enough to take more than it may, were nobody to stop it. */
export const MORE_SECONDS: Record<string, number> = { memory_host: 30, memory_python: 30 };
