/** How long a service may stay offline before it is archived, ms. */
export interface ArchiveAfter {
  anyMs: number;
  /** The time limit for services with the tag `ephemeral: "true"`, ms. */
  ephemeralMs: number;
}

/** Whether a service that is offline since `offlineSince` (ms) is to be archived at `now`. */
export function isArchivable(
  after: ArchiveAfter,
  tags: Readonly<Record<string, string>>,
  offlineSince: number,
  now: number,
): boolean {
  const ephemeral = Object.hasOwn(tags, 'ephemeral') && tags['ephemeral'] === 'true';
  return now - offlineSince >= (ephemeral ? after.ephemeralMs : after.anyMs);
}
