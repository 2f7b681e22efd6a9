/**
 * First wall: the interpreter's WebAssembly module keeps only the imports that are needed to run Python. Every other import that it got
 * at start-up (proxies of JavaScript objects, calls of JavaScript functions, dynamic linking, sockets, foreign function calls) is refused
 * after `close` was called, for every caller: Python code, a crafted code object, or native code under an attacker's control.
 *
 * It depends on names of imports only, not on Python.
 */

/** Called by name from Python, or by a forged function pointer. */
export class ImportRefused extends Error {
  override name = 'ImportRefused';

  constructor(readonly importName: string) {
    super(`${importName} is closed to kernels`);
  }
}

/** The imports that are kept, by purpose. Files are those of the interpreter's own file system (`readOnlyFs.ts`, memory, `device.ts`). */
const KEPT = new Set(
  [
    // files
    ['openat', 'fcntl64', 'faccessat', 'fstat64', 'stat64', 'lstat64', 'newfstatat', 'statfs64', 'fstatfs64', 'getdents64', 'readlinkat'],
    [
      'mkdirat',
      'mknodat',
      'rmdir',
      'unlinkat',
      'renameat',
      'symlinkat',
      'truncate64',
      'ftruncate64',
      'fallocate',
      'fadvise64',
      'utimensat',
    ],
    [
      'chmod',
      'fchmod',
      'fchmodat2',
      'fchown32',
      'fchownat',
      'fdatasync',
      'getcwd',
      'chdir',
      'fchdir',
      'dup',
      'dup3',
      'pipe',
      'poll',
      'ioctl',
    ],
    ['umask_js', 'getuid32_js'],
  ]
    .flat()
    .map(name => `__syscall_${name}`)
    .concat(
      [
        'fd_close',
        'fd_read',
        'fd_write',
        'fd_seek',
        'fd_pread',
        'fd_pwrite',
        'fd_sync',
        'fd_fdstat_get',
        '_mmap_js',
        '_munmap_js',
        '_msync_js',
      ],
      // clocks, random numbers, environment, memory
      [
        'clock_time_get',
        'clock_res_get',
        'emscripten_date_now',
        'emscripten_get_now',
        '_tzset_js',
        '_timegm_js',
        '_mktime_js',
        '_localtime_js',
      ],
      ['_gmtime_js', 'random_get', 'environ_get', 'environ_sizes_get', 'emscripten_resize_heap', 'emscripten_get_heap_max'],
      // calls of functions in the module's own table, the request to stop, and the end
      ['_PyEM_TrampolineCall_JS', '__call_sighandler', '_Py_CheckEmscriptenSignals_Helper', 'can_run_sync_js', 'exit', 'proc_exit'],
      ['__assert_fail', '_abort_js', 'emscripten_runtime_keepalive_push', 'emscripten_runtime_keepalive_pop'],
    ),
);

/**
 * Not called, but answered: `fcntl`, and so `os.dup`, first asks with it whether a descriptor is a socket. There are none. The real one
 * would call what a socket holds.
 */
const ANSWERED = new Map([['_try_fcntl64', 0]]);

type Import = (...args: unknown[]) => unknown;

/** Of Emscripten's modules, only those that link others dynamically have this table. */
const isInterpreter = (imports: WebAssembly.Imports | undefined): imports is WebAssembly.Imports =>
  imports !== undefined && Object.hasOwn(imports, 'GOT.mem');

export class ImportGate {
  private closed = false;

  /**
   * Runs `load`, and guards the imports of the interpreter that it instantiates. Other modules may be instantiated meanwhile: Pyodide has one
   * without imports, which it compiles from when it is imported on, and which is ready before or after this begins.
   */
  async around<T>(load: () => Promise<T>): Promise<T> {
    const { instantiate } = WebAssembly;
    let isGuarded = false;
    const guarding = (source: BufferSource, imports?: WebAssembly.Imports) => {
      if (isGuarded || !isInterpreter(imports)) return instantiate(source, imports);
      isGuarded = true;
      return instantiate(source, this.guarded(imports));
    };
    WebAssembly.instantiate = guarding as typeof instantiate;
    try {
      const loaded = await load();
      if (!isGuarded) throw new Error('the interpreter was started without its imports being guarded');
      return loaded;
    } finally {
      WebAssembly.instantiate = instantiate;
    }
  }

  /** From now on only the imports that are needed to run Python work. */
  close() {
    this.closed = true;
  }

  private guarded(imports: WebAssembly.Imports): WebAssembly.Imports {
    // the tables of dynamic linking (GOT.*) hold no functions
    const guard = (module: WebAssembly.ModuleImports) =>
      new Proxy(module, { get: (target, name: string) => this.guardedImport(name, target[name]) });
    return Object.fromEntries(Object.entries(imports).map(([name, module]) => [name, name.startsWith('GOT.') ? module : guard(module)]));
  }

  private guardedImport(name: string, value: WebAssembly.ImportValue): WebAssembly.ImportValue {
    if (typeof value !== 'function' || KEPT.has(name)) return value;
    const call = value as Import;
    return (...args: unknown[]) => {
      if (!this.closed) return call(...args);
      const answer = ANSWERED.get(name);
      if (answer === undefined) throw new ImportRefused(name);
      return answer;
    };
  }
}
