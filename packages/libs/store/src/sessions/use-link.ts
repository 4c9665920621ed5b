import type { Transaction } from '@tidewatch/database/connection';

/** Marks a sign-in link as used at `now` (ms); false where it was used already, by another transaction too. */
export async function useSignInLink(
  tx: Transaction,
  { organizationId, id, now }: { organizationId: string; id: string; now: number },
): Promise<boolean> {
  const used = await tx`
    update sign_in_links set used_at = ${now}::timestamptz
    where organization_id = ${organizationId} and id = ${id} and used_at is null returning id`;
  return used.length === 1;
}
