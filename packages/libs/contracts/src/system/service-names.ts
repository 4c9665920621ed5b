/**
 * The names of the backend services. In a single process, consumers of one topic share a transaction and are called in this
 * order: the evaluator comes first, because it may process a record in part, and the writer must not store the rest yet.
 */
export const SERVICE_NAMES = [
  'evaluator',
  'writer',
  'notifier',
  'investigator',
  'gateway',
  'query-api',
] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];
