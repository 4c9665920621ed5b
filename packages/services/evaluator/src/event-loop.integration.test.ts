import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { definitionOf, overrideOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { newId } from '@tidewatch/contracts/values/id';
import { EventLoopWatch, MAX_DELAY_MS, MAX_ROUND_CPU_MS } from '@tidewatch/harness/event-loop-watch';
import { openForFile } from '@tidewatch/harness/opened';
import { bumpRevision } from '@tidewatch/store/revisions/revisions';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EvaluatorHarness, ORGANIZATION } from './testing/evaluator.harness.ts';

const OTHERS = Array.from({ length: 5 }, (_, i) => `org_0000000000007000800000000000010${i}`);
const RULES = 4_000;
const METRIC = 'cpu_percent';
const TAGS = { role: 'web-1' };
const SCOPE = { tags: { role: ['web-*', 'db-*'] } };

let watch: EventLoopWatch;

async function addRules(organizationId: string, count: number, fields: Partial<RuleDefinition>) {
  const rules = Array.from({ length: count }, (_, index) => ({
    id: newId('rul'),
    definition: definitionOf({
      name: `rule ${index}`,
      duration_minutes: 0,
      description: 'x'.repeat(200),
      ...fields,
    }),
  }));
  await harness.store.transact(async (tx) => {
    await tx`insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition, created_at)
      select ${organizationId}, r.id, r.definition ->> 'name', true, r.definition ->> 'metric',
        r.definition ->> 'severity', r.definition, ${harness.now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rules)}::text::jsonb) as r(id text, definition jsonb)`;
    await bumpRevision(tx, 'rules');
  });
}

/** Edits all rules of the organization, as an applied rule set does. */
async function editAll(fields: Partial<RuleDefinition>) {
  await harness.store.transact(async (tx) => {
    await tx`update alert_rules set definition = definition || ${tx.json(fields as never)}, version = version + 1,
      updated_at = ${harness.now} where organization_id = ${ORGANIZATION}`;
    await bumpRevision(tx, 'rules');
  });
}

async function send(hosts: string[], values: Record<string, number>) {
  harness.now += 10_000;
  const payloads = hosts.map((host) => ({ host, time: harness.now, tags: TAGS, ...metricsOf(values) }));
  return harness.publish([harness.request(payloads)], { store: false });
}

const idle = () => send(['idle'], { load: 1 });

async function countOf(status: string): Promise<number> {
  const [row] = await harness.store.sql`select count(*)::integer from alerts where status = ${status}`;
  return row?.['count'];
}

function expectShortRounds() {
  const { cpuMs, delayMs } = watch.take();
  expect(cpuMs).toBeLessThan(MAX_ROUND_CPU_MS);
  expect(delayMs).toBeLessThan(MAX_DELAY_MS);
}

const harness = await openForFile(EvaluatorHarness.open());
beforeAll(async () => {
  for (const id of OTHERS) {
    await harness.store.sql`insert into organizations (id, name) values (${id}, ${id})`;
    await addRules(id, 1_000, {});
  }
  await addRules(ORGANIZATION, RULES, { metric: METRIC, scope: SCOPE });
  watch = new EventLoopWatch();
});
afterAll(() => watch?.stop());
beforeEach(() => {
  watch.take();
});

test('reading and indexing thousands of rules does not block the event loop', async () => {
  await idle();
  expectShortRounds();
});

test('firing thousands of alerts by one sample does not block the event loop', async () => {
  await send(['storm'], { [METRIC]: 95 });
  expectShortRounds();
  expect(await countOf('active')).toBe(RULES);
});

test('evaluating and storing values of thousands of alerts on one host does not block the event loop', async () => {
  for (const value of [96, 97]) await send(['storm'], { [METRIC]: value });
  expectShortRounds();
  const [row] = await harness.store.sql`select count(*)::integer from alerts where value > 95`;
  expect(row?.['count']).toBe(RULES);
});

test('loading thousands of states of one host after a restart does not block the event loop', async () => {
  await harness.begin();
  await send(['storm'], { [METRIC]: 98 });
  expectShortRounds();
  expect(await countOf('active')).toBe(RULES);
});

test('applying an edit of thousands of rules does not block the event loop', async () => {
  await editAll({ threshold: 80 });
  for (const value of [98, 99]) await send(['storm'], { [METRIC]: value });
  expectShortRounds();
  const [row] = await harness.store
    .sql`select count(*)::integer from alerts where status = 'active' and threshold = 80`;
  expect(row?.['count']).toBe(RULES);
});

test('matching hundreds of new hosts with thousands of rules does not block the event loop, nor does matching them again after an edit', async () => {
  const hosts = Array.from({ length: 100 }, (_, index) => `host-${index}`);
  await send(hosts, { [METRIC]: 1 });
  await editAll({ threshold: 85 });
  await send(hosts, { [METRIC]: 1 });
  expectShortRounds();
});

test('matching one host with rules of many patterns does not block the event loop', async () => {
  const overrides = Array.from({ length: 20 }, (_, index) =>
    overrideOf({
      match: { hosts: Array.from({ length: 50 }, (_each, host) => `*-${index}-${host}-*`) },
      threshold: 99,
    }),
  );
  await addRules(ORGANIZATION, 500, { metric: 'disk_percent', overrides });
  // The rules are written in this thread too.
  watch.take();
  await idle();
  await send(['patterned-host'], { disk_percent: 1 });
  expectShortRounds();
});

test('resolving thousands of alerts does not block the event loop', async () => {
  await send(['storm'], { [METRIC]: 1 });
  expectShortRounds();
  expect(await countOf('active')).toBe(0);
});

test('ending thousands of alerts of deleted rules does not block the event loop, before or after a restart', async () => {
  await send(['storm'], { [METRIC]: 95 });
  await harness.store.transact(async (tx) => {
    await tx`update alert_rules set deleted_at = ${harness.now} where organization_id = ${ORGANIZATION}`;
    await bumpRevision(tx, 'rules');
  });
  await idle();
  await harness.begin();
  for (let i = 0; i < RULES / 500; i += 1) await idle();
  expectShortRounds();
  expect(await countOf('active')).toBe(0);
});
