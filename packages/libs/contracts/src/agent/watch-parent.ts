/** The value of the agent's `--watch` that stands for the process that started the agent. */
export const WATCH_PARENT = 'parent';
