/** The compare-and-swap of a consumer's position, which begins every transaction that stores a batch. */
export const OFFSETS_MOVE = /update consumer_offsets c set next_offset/;
/** The statement that rolls up minutes again from their samples, in the background. */
export const MINUTES_RECOMPUTED = /insert into rollup_1m as stored/;
/** The last statement of the transaction in which events are published. */
export const EVENTS_PUBLISHED = /update outbox o set sequence/;
/** A statement in the snapshot from which an investigation reads its facts. */
export const FACTS_READ = /jsonb_to_recordset\(s\.processes\)/;
/** The statement that stores the result of an investigation, in the transaction that ends its run. */
export const OUTCOME_WRITE = /update investigations i set findings = .*facts_digest/s;
