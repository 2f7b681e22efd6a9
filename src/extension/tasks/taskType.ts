/** The type of our tasks, as package.json declares it. In a separate file, because activation needs it before other code is loaded. */
export const TASK_TYPE = 'nki-scope';
