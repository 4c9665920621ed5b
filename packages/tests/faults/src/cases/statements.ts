/** The compare-and-swap by which a consumer moves on, which begins every transaction that stores a batch. */
export const OFFSETS_MOVE = /update consumer_offsets c set next_offset/;
/** Minutes that are stored again from their samples, in the background. */
export const MINUTES_RECOMPUTED = /insert into rollup_1m as stored/;
/** What ends the transaction in which events are published. */
export const EVENTS_PUBLISHED = /update outbox o set sequence/;
/** In the one snapshot that everything is read from which an investigation rests on. */
export const FACTS_READ = /jsonb_to_recordset\(s\.processes\)/;
/** What an investigation came to, in the transaction that ends its run. */
export const OUTCOME_WRITE = /update investigations i set findings = .*facts_digest/s;
