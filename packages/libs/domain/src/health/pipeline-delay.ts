/** A partition counts as behind when its pipeline clock, which advances every few seconds, is older than this, ms. */
export const DELAYED_AFTER_MS = 30_000;
