import type { Transaction } from '@tidewatch/database/connection';
import { type Limited, LimitReachedError } from './limit-reached.ts';

/** The counted kinds of objects, with their tables and the condition of rows that count. */
export const COUNTED = {
  rules: { table: 'alert_rules', living: 'deleted_at is null' },
  channels: { table: 'channels', living: 'deleted_at is null' },
  silences: { table: 'silences', living: 'deleted_at is null and ended_at is null and ends_at > now()' },
  keys: { table: 'api_keys', living: 'revoked_at is null and (expires_at is null or expires_at > now())' },
  sessions: { table: 'sessions', living: 'true' },
  signInLinks: { table: 'sign_in_links', living: 'true' },
  markers: { table: 'markers', living: 'true' },
} as const satisfies Partial<Record<Limited, { table: string; living: string }>>;

export type Counted = keyof typeof COUNTED;

/**
 * Throws `LimitReachedError` unless the organization may have `adding` more objects of a kind. Locks additions of that kind
 * until the transaction ends, so that the count is exact.
 */
export async function requireRoom(
  tx: Transaction,
  organizationId: string,
  { kind, max, adding = 1 }: { kind: Counted; max: number; adding?: number },
): Promise<void> {
  if (adding <= 0) return;
  const { table, living } = COUNTED[kind];
  await tx`select pg_advisory_xact_lock(hashtextextended(${`tidewatch.limit ${kind} ${organizationId}`}, 0))`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from ${tx(table)} where organization_id = ${organizationId} and ${tx.unsafe(living)}`;
  if ((row?.count ?? 0) + adding > max) throw new LimitReachedError(kind, max);
}
