import { openForFile } from '@tidewatch/harness/opened';
import { lockDueReminders, recordReminders } from '@tidewatch/store/notifications/reminders';
import { expect, test } from 'vitest';
import { NotifierHarness, ORGANIZATION } from '../testing/notifier.harness.ts';

const OTHER = 'org_00000000000070008000000000000002';
const harness = await openForFile(NotifierHarness.open());

/** Creates active alerts of the organization whose reminders are due. */
async function due(organizationId: string, count: number): Promise<void> {
  const { sql } = harness.store;
  const rule = await harness.rule({ renotify_minutes: 30 });
  await sql`update alert_rules set organization_id = ${organizationId} where id = ${rule.id}`;
  for (let i = 0; i < count; i += 1) {
    const { id } = await harness.alert(rule, {}, true);
    await sql`update alerts set organization_id = ${organizationId} where id = ${id}`;
    await sql`insert into alert_notices (organization_id, alert_id, rule_id, notified_at)
      values (${organizationId}, ${id}, ${rule.id}, ${harness.now - 31 * 60_000}::timestamptz)`;
  }
}

test('reminders of one organization do not delay those of another', async () => {
  await harness.store.sql`insert into organizations (id, name) values (${OTHER}, 'other')`;
  await due(ORGANIZATION, 30);
  await due(OTHER, 2);
  const rounds: number[][] = [];
  for (let i = 0; i < 4; i += 1) {
    await harness.store.transact(async (tx) => {
      const alerts = (await lockDueReminders(tx, harness.now, 10)).map(({ row }) => row);
      rounds.push(
        [ORGANIZATION, OTHER].map(
          (id) => alerts.filter(({ organization_id }) => organization_id === id).length,
        ),
      );
      await recordReminders(
        tx,
        alerts.map(({ organization_id, id }) => ({ organizationId: organization_id, id })),
        harness.now,
      );
    });
  }
  expect(rounds).toEqual([
    [8, 2],
    [10, 0],
    [10, 0],
    [2, 0],
  ]);
});
