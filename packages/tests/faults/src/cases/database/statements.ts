/** The compare-and-swap of a consumer's position, which begins every transaction that stores a batch. */
export const OFFSETS_MOVE = /update consumer_offsets c set next_offset/;
/** The statement of a job with a lease: that rolls up minutes again from their samples, or that notes how far the log is sealed. */
export const MINUTES_OR_SEAL = /insert into rollup_1m as stored|insert into sample_buckets as stored/;
/** The last statement of a transaction that seals samples of the log, or sorts them. */
export const SEAL_NOTED = /insert into sample_buckets as stored/;
/** The statement that takes snapshots from the log, to seal them. */
export const SNAPSHOTS_SEALED = /delete from snapshot_log/;
/** The last statement of a transaction that closes blocks of a day. */
export const CLOSING_NOTED = /insert into closed_days/;
/** The last statement of the transaction in which events are published. */
export const EVENTS_PUBLISHED = /update outbox o set sequence/;
/** A statement in the snapshot from which an investigation reads its facts. */
export const FACTS_READ = /at, before, after from tag_changes/;
/** The statement that stores the result of an investigation, in the transaction that ends its run. */
export const OUTCOME_WRITE = /update investigations i set findings = .*facts_digest/s;
