/** The compare-and-swap by which a consumer moves on, which begins every transaction that stores a batch. */
export const OFFSETS_MOVE = /update consumer_offsets c set next_offset/;
