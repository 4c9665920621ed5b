/** What a process of the stack is. */
export type Role =
  | 'gateway'
  | 'writer'
  | 'evaluator'
  | 'notifier'
  | 'investigator'
  | 'query-api'
  | 'proxy'
  | 'kafka'
  | 'postgres'
  | 'redis';
