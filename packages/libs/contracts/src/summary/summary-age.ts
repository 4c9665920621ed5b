/** How old the counts in an answer of `GET /summary` may be, ms: they are read once in this time, however many ask. */
export const MAX_SUMMARY_AGE_MS = 1_000;
