/** A partition is behind where its clock, which moves every few seconds, is older than this, ms. */
export const DELAYED_AFTER_MS = 30_000;
