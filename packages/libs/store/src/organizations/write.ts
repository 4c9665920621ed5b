import type { CreatedOrganization } from '@tidewatch/contracts/organizations/organization';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { insertKey, type KeyWrite } from '../keys/write.ts';
import { organizationAnswer } from './list.ts';

const FIRST_KEY = {
  name: 'first admin key',
  scopes: ['ingest', 'read', 'write', 'admin'] as const,
  expires_at: null,
  rate_limit_per_minute: null,
  hosts: null,
};

/** `key` is the first key of the new organization; `operator` is the audit trail in the operator's organization. */
export interface OrganizationWrite {
  name: string;
  key: KeyWrite;
  operator: AuditTrail;
}

/**
 * Creates an organization with one admin key and runs `setUp`, in one transaction bound to the new organization. The
 * creation is recorded in the operator's audit log, the key in the audit log of the new organization.
 */
export async function createOrganization(
  sql: Sql,
  { name, key, operator }: OrganizationWrite,
  setUp: (tx: Transaction) => Promise<unknown>,
): Promise<CreatedOrganization> {
  const { organizationId: id, now } = key;
  const work = async (tx: Transaction): Promise<CreatedOrganization> => {
    await tx`insert into organizations (id, name, created_at) values (${id}, ${name}, ${now})`;
    const organization = organizationAnswer({ id, name, created_at: now });
    const created = await insertKey(tx, key, { ...FIRST_KEY, scopes: [...FIRST_KEY.scopes] });
    await setUp(tx);
    await tx`select set_config('tidewatch.organization', ${operator.organizationId}, true)`;
    const object = { type: 'organization' as const, id, name };
    await recordAudit(tx, operator, [
      { action: 'organization.created', object, before: null, after: organization },
    ]);
    return { organization, key: created };
  };
  return (await inOrganization(id, () => sql.begin(work))) as CreatedOrganization;
}
