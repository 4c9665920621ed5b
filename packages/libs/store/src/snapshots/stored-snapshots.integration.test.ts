import { openStore } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { openForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';
import { drawSeqs, readEndedSeq } from '../sample-log/seal-lock.ts';
import { appendSnapshots } from './packed/append-snapshots.ts';
import { sealLog } from './packed/seal-log.ts';
import { organizationSnapshots } from './stored-snapshots.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const { sql, database } = await storeForFile({ sampleLayout: 'log', organizations: ['org_a', 'org_b'] });
const api = await openForFile(openStore({ url: database.apiUrl, bindsOrganization: true }));

it('an organization sees its own packed snapshots alone, before they are sealed and afterwards', async () => {
  for (const organizationId of ['org_a', 'org_b'])
    await sql`
      insert into services (organization_id, id, host, first_seen, status_since)
      values (${organizationId}, ${`svc_${organizationId}`}, 'a', now(), now())`;
  const append = (time: number) =>
    sql.begin(async (tx) => {
      const [seq = 0] = await drawSeqs(tx);
      const lists = ['org_a', 'org_b'].map((organizationId) => ({
        organizationId,
        serviceId: `svc_${organizationId}`,
        time,
        processes: [{ name: organizationId, pid: 1 }],
      }));
      await appendSnapshots(tx, seq, lists);
    });
  await append(NOW);
  await sealLog(sql, { bound: readEndedSeq });
  await append(NOW + 1);
  const spans = ['org_a', 'org_b'].map((organizationId) => ({
    organizationId,
    serviceId: `svc_${organizationId}`,
    from: NOW,
    to: NOW + 10,
  }));
  const seen = (bound: string) =>
    inOrganization(bound, () => organizationSnapshots.lists(api.sql, spans, 'processes'));
  const own = (name: string) => [NOW, NOW + 1].map((time) => ({ time, list: [{ name, pid: 1 }] }));
  expect(await seen('org_a')).toEqual([own('org_a'), []]);
  expect(await seen('org_b')).toEqual([[], own('org_b')]);
  expect(await seen('installation')).toEqual([[], []]);
});
