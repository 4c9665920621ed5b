import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import type { CompiledSilence } from '@tidewatch/domain/silence/silence';
import {
  lockEndedMutes,
  type MuteWrite,
  readSilencedBefore,
  readUnsilenced,
  type SilenceableAlert,
  type SilenceKey,
  writeMutes,
} from '@tidewatch/store/silences/ends';
import type { SilenceSet } from '@tidewatch/store/silences/silence-set';

/** Max alerts in one transaction, since a silence may match a whole fleet. */
const ALERTS_AT_ONCE = 500;
/** How long the writer may take to store the tags of a host, ms: they may be stored after its alerts. */
const TAGS_STORED_WITHIN_MS = MINUTE_MS;

/** Runs work in a separate transaction. */
export type InTransaction = (work: (tx: Transaction) => Promise<void>) => Promise<void>;

/**
 * The inputs for marking alerts with the silence that mutes them. Marks are stored with the alerts, so that a part is valid
 * even if the process ends.
 */
export interface Marking {
  sql: Sql;
  silences: SilenceSet;
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
  inTransaction: InTransaction;
}

/**
 * Marks the alerts of an ended silence with another silence that mutes them, or as not muted; `count` receives the numbers
 * of each part.
 */
export async function* markEnded(
  { silences, clock, inTransaction }: Marking,
  silence: SilenceKey,
  count: (counts: { unmuted: number; moved: number }) => void,
): AsyncGenerator<void> {
  for (let taken = ALERTS_AT_ONCE; taken === ALERTS_AT_ONCE; ) {
    const counts = { unmuted: 0, moved: 0 };
    await inTransaction(async (tx) => {
      const now = clock();
      const mutes = (await lockEndedMutes(tx, silence, now, ALERTS_AT_ONCE)).map(muteOf(silences));
      await writeMutes(tx, mutes, now);
      taken = mutes.length;
      counts.unmuted = mutes.filter(({ silencedBy }) => silencedBy === null).length;
      counts.moved = mutes.length - counts.unmuted;
    });
    count(counts);
    if (taken === ALERTS_AT_ONCE) yield;
  }
}

/** Marks the active alerts of an organization that are muted by silences that have begun. */
export async function* markBegun(
  { sql, silences, clock, inTransaction }: Marking,
  organizationId: string,
  begun: readonly CompiledSilence[],
): AsyncGenerator<void> {
  let after: SilenceableAlert | null = null;
  do {
    const part: SilenceableAlert[] = await readUnsilenced(sql, organizationId, after, ALERTS_AT_ONCE);
    after = part.length < ALERTS_AT_ONCE ? null : (part.at(-1) ?? null);
    const concerned = part.filter((alert) =>
      begun.some((each) => each.matchesAlert(alert) && each.matchesHost(alert.host, alert.tags)),
    );
    const mutes = concerned.map(muteOf(silences)).filter(({ silencedBy }) => silencedBy !== null);
    if (mutes.length > 0) await inTransaction((tx) => writeMutes(tx, mutes, clock()));
    if (after !== null) yield;
  } while (after !== null);
}

/** Unmutes alerts whose host’s tags have changed and no longer match the silence. */
export async function* markLeft(
  { sql, silences, clock, inTransaction }: Marking,
  silence: CompiledSilence,
): AsyncGenerator<void> {
  const key = { org: silence.organizationId, id: silence.id };
  let after: string | null = '';
  while (after !== null) {
    const part: SilenceableAlert[] = await readSilencedBefore(
      sql,
      key,
      clock() - TAGS_STORED_WITHIN_MS,
      after,
      ALERTS_AT_ONCE,
    );
    after = part.length < ALERTS_AT_ONCE ? null : (part.at(-1)?.id ?? null);
    const left = part.filter(({ host, tags }) => !silence.matchesHost(host, tags)).map(muteOf(silences));
    if (left.length > 0) await inTransaction((tx) => writeMutes(tx, left, clock()));
    if (after !== null) yield;
  }
}

function muteOf(silences: SilenceSet) {
  return (alert: SilenceableAlert): MuteWrite => {
    const muting = silences.muting(alert, alert);
    const { organizationId, id } = alert;
    return { organizationId, id, silencedBy: muting?.id ?? null, silencedUntil: muting?.until ?? null };
  };
}
