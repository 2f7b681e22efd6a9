/** The type of our tasks, as package.json declares it. A file of its own: activation needs it before anything else is loaded. */
export const TASK_TYPE = 'nki-scope';
