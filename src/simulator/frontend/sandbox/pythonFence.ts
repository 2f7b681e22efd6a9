/**
 * The part of the first wall that is in Python. It runs once after the interpreter has started: it removes the modules and functions that
 * give access to the host, raises an error on their import, and empties the modules whose functions make proxies of JavaScript objects,
 * so that following references between Python's objects finds none of them.
 *
 * Python code can undo a part of this: a crafted code object can read and write the whole WebAssembly memory. `imports.ts` limits what
 * such code can call.
 */

/** Modules with proxies of JavaScript objects, or with functions that make them. */
const JAVASCRIPT = ['js', 'pyodide_js', 'pyodide', '_pyodide', '_pyodide_core', 'jsfinder'];

/** Roots of module names that a kernel cannot import: the ways into JavaScript, the network, processes, native code, other interpreters. */
const DENIED = [
  JAVASCRIPT,
  ['micropip', 'webbrowser', 'antigravity'],
  [
    'socket',
    '_socket',
    'ssl',
    '_ssl',
    'select',
    '_asyncio',
    'asyncio',
    'socketserver',
    'http',
    'ftplib',
    'smtplib',
    'imaplib',
    'poplib',
    'xmlrpc',
  ],
  ['subprocess', '_posixsubprocess', 'multiprocessing', '_multiprocessing', 'pty', 'fcntl', 'resource'],
  ['ctypes', '_ctypes', '_interpreters', '_interpchannels', '_interpqueues', '_xxsubinterpreters', '_remote_debugging', 'faulthandler'],
  [
    '_testcapi',
    '_testinternalcapi',
    '_testlimitedcapi',
    '_testclinic',
    '_ctypes_test',
    '_testbuffer',
    '_testmultiphase',
    '_testsinglephase',
  ],
].flat();

/** Functions of `os` (and of `posix` beneath it) that start or signal processes, or leave the folder tree. */
const DENIED_OS = [
  'system',
  'popen',
  'fork',
  'forkpty',
  'posix_spawn',
  'posix_spawnp',
  'kill',
  'killpg',
  'chroot',
  'mkfifo',
  'mknod',
  'abort',
  '_exit',
];

/** Decides by the root of the name: `js.x` belongs to `js`. */
export const isDenied = (name: string): boolean => DENIED.includes(name.split('.')[0]);

const NAMES = (names: readonly string[]) => JSON.stringify(names);

export const FENCE = `
def _fence():
    import gc, importlib, os, posix, sys, time, _imp

    denied = frozenset(${NAMES(DENIED)})
    javascript = frozenset(${NAMES(JAVASCRIPT)})
    reason = (
        "is not available in the bundled interpreter: kernels get no network, no processes and no JavaScript there. "
        "The setting nkiScope.pythonPath (--python PATH) runs your own interpreter."
    )

    def is_denied(name):
        return name.partition(".")[0] in denied

    class Fence:
        """First on sys.meta_path: refuses what leads out of the interpreter, builtin modules included."""

        @staticmethod
        def find_spec(name, path=None, target=None):
            if is_denied(name):
                raise ModuleNotFoundError(f"{name!r} {reason}", name=name)
            return None

    def refuse(name):
        def refused(*args, **kwargs):
            raise PermissionError(f"{name} {reason}")

        refused.__name__ = refused.__qualname__ = name.rpartition(".")[2]
        return refused

    make_builtin = _imp.create_builtin

    def create_builtin(spec):
        if is_denied(spec.name):
            raise ModuleNotFoundError(f"{spec.name!r} {reason}", name=spec.name)
        return make_builtin(spec)

    for finder in list(sys.meta_path):
        kind = finder if isinstance(finder, type) else type(finder)
        if kind.__module__.partition(".")[0] in javascript:
            sys.meta_path.remove(finder)
    sys.meta_path.insert(0, Fence)

    emptied = []
    for name in [n for n in sys.modules if is_denied(n)]:
        module = sys.modules.pop(name)
        parent, _, child = name.rpartition(".")
        if parent in sys.modules:
            vars(sys.modules[parent]).pop(child, None)
        if name.partition(".")[0] in javascript:
            emptied.append(module)

    _imp.create_builtin = create_builtin
    importlib._bootstrap._imp.create_builtin = create_builtin
    _imp.create_dynamic = refuse("_imp.create_dynamic")
    for module in (os, posix):
        for name in list(vars(module)):
            if name in ${NAMES(DENIED_OS)} or name.startswith(("exec", "spawn")):
                setattr(module, name, refuse("os." + name))
    sys.path[:] = [p for p in sys.path if p]
    # the source of random bytes is found at its first use, which must be before it is hidden
    os.urandom(1)

    # Pyodide's own asks the event loop, which is gone
    time.sleep = getattr(time.sleep, "__wrapped__", time.sleep)

    # modules that made proxies, the import system's own copy of one's names, and the loaders of modules that were JavaScript objects
    (core,) = [module for module in emptied if module.__name__ == "_pyodide_core"]
    (hook,) = [module for module in emptied if module.__name__ == "_pyodide._importhook"]
    holders = [vars(module) for module in emptied if isinstance(module, type(sys))]
    holders += [found for found in gc.get_referrers(core.to_js) if type(found) is dict]
    holders += [vars(found) for found in gc.get_referrers(hook.JsLoader) if type(found) is hook.JsLoader]
    holders.append(hook.jsfinder.jsproxies)
    for names in holders:
        names.clear()


_fence()
del _fence
`;
