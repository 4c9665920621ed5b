/** The topics of the bus. Samples have the key of organization and host, events that of the id of their object. */
export const TOPICS = {
  samples: 'tidewatch.samples',
  samplesDeadLetter: 'tidewatch.samples.dead-letter',
  events: 'tidewatch.events',
  eventsDeadLetter: 'tidewatch.events.dead-letter',
} as const;

export type Topic = (typeof TOPICS)[keyof typeof TOPICS];
