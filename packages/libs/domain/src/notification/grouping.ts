/** The default time for which alerts of one rule are collected for a digest, from the first alert on, ms. */
export const GROUPED_FOR_MS = 30_000;
/** The number of alerts of one rule that are notified immediately; further alerts are sent as a digest. */
export const MAX_IMMEDIATE_NOTICES = 5;
/**
 * The max number of alerts and of bytes in one digest, since receivers limit message sizes; the rest goes into another
 * digest.
 */
export const MAX_DIGEST = { alerts: 100, bytes: 256 * 1024 } as const;

/** The notices that are grouped for one rule, channel and direction. Times are ms. */
export interface NoticeWindow {
  endsAt: number;
  /** The number of notifications that were sent immediately since the group began. */
  sentAtOnce: number;
  /** The digest to which the next alert is added; null before the first digest and after it was sent. */
  digest: { id: string; alerts: number; bytes: number } | null;
}

/** How a notice is sent: at once, or in a digest that is sent at `until`; `opened` if the digest is new. */
export type Placement =
  | { kind: 'at_once' }
  | { kind: 'held'; digestId: string; opened: boolean; until: number };

export interface PlaceOptions {
  /** How long a new window collects notices, ms. */
  groupedForMs: number;
  /** Called when a new digest is begun. */
  newDigestId: () => string;
}

export interface Placed {
  window: NoticeWindow;
  placement: Placement;
}

/** Chooses the notification to which one more notice of `bytes` is added. */
export function place(
  window: NoticeWindow | null,
  now: number,
  bytes: number,
  { groupedForMs, newDigestId }: PlaceOptions,
): Placed {
  if (window === null || now >= window.endsAt) {
    const begun = { endsAt: now + groupedForMs, sentAtOnce: 1, digest: null };
    return { window: begun, placement: { kind: 'at_once' } };
  }
  if (window.sentAtOnce < MAX_IMMEDIATE_NOTICES)
    return { window: { ...window, sentAtOnce: window.sentAtOnce + 1 }, placement: { kind: 'at_once' } };
  const { digest, endsAt: until } = window;
  const fits =
    digest !== null && digest.alerts < MAX_DIGEST.alerts && digest.bytes + bytes <= MAX_DIGEST.bytes;
  const next = fits
    ? { ...digest, alerts: digest.alerts + 1, bytes: digest.bytes + bytes }
    : { id: newDigestId(), alerts: 1, bytes };
  return {
    window: { ...window, digest: next },
    placement: { kind: 'held', digestId: next.id, opened: !fits, until },
  };
}
