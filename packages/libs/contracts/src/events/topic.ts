/** The bus topics. Samples are keyed by organization and host, events by the id of their object. */
export const TOPICS = {
  samples: 'tidewatch.samples',
  samplesDeadLetter: 'tidewatch.samples.dead-letter',
  events: 'tidewatch.events',
  eventsDeadLetter: 'tidewatch.events.dead-letter',
} as const;

export type Topic = (typeof TOPICS)[keyof typeof TOPICS];
