// Tests that take long have `@long` in their title, or in that of their group: they run with `--all`, and when they are asked for.

/** Options of mocha that leave them out. */
export const WITHOUT_LONG = { grep: '@long', invert: true };

/** The same as words of a command line. */
export const WITHOUT_LONG_WORDS = ['--grep', WITHOUT_LONG.grep, '--invert'];
