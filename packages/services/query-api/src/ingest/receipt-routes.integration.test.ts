import { newId } from '@tidewatch/contracts/values/id';
import { transact } from '@tidewatch/database/connection';
import { openForFile } from '@tidewatch/harness/opened';
import { keyDigest } from '@tidewatch/runtime/auth/authentication';
import { markTaken, recordDeadLetters } from '@tidewatch/store/receipts/marks';
import { type ReceiptRecord, saveReceipt } from '@tidewatch/store/receipts/receipts';
import { expect, test } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

const TOPIC = 'tidewatch.samples';

const api = await openForFile(openApi());

async function receiptWith(...records: ReceiptRecord[]): Promise<string> {
  const id = newId('rcp');
  const keyId = api.keys.get(keyDigest('agent'))?.id ?? '';
  await saveReceipt(api.sql, {
    organizationId: api.organizationId,
    id,
    keyId,
    acceptedAt: NOW,
    records,
  });
  return id;
}

const at = (partition: number, offset: bigint, receiptId?: string) => ({
  topic: TOPIC,
  partition,
  offset,
  value: {
    kind: 'samples',
    organizationId: api.organizationId,
    receivedAt: NOW,
    stalledMs: 0,
    payloads: [],
    ...(receiptId && { receiptId }),
  },
});
const place = (partition: number, offset: bigint) => ({ topic: TOPIC, partition, offset: String(offset) });
const trace = async (id: string, key = 'agent') => api.get(`/api/v1/ingest/receipts/${id}`, { key });

test('a receipt reports each of its records by itself, by the progress of its consumers', async () => {
  const id = await receiptWith(place(1, 7n), place(2, 9n));
  await transact(api.sql, async (tx) => {
    await markTaken(tx, 'writer', [at(1, 7n, id), at(1, 8n), at(2, 9n, id)]);
    await markTaken(tx, 'evaluator', [at(2, 9n, id)]);
  });
  const { status, body } = await trace(id);
  expect([status, body]).toEqual([
    200,
    {
      id,
      accepted_at: '2026-11-21T14:36:28.000Z',
      records: [
        { ...place(1, 7n), stored_at: expect.any(String), evaluated_at: null, dead_lettered: null },
        {
          ...place(2, 9n),
          dead_lettered: null,
          stored_at: expect.any(String),
          evaluated_at: expect.any(String),
        },
      ],
    },
  ]);
});

test('a receipt reports a record that was stored after a failure as stored, and never the reverse', async () => {
  const id = await receiptWith(place(3, 1n));
  const letters = [{ consumer: 'writer', delivery: at(3, 1n, id) }];
  await recordDeadLetters(api.sql, letters);
  expect((await trace(id)).body.records).toMatchObject([
    { stored_at: null, dead_lettered: { reason: 'cannot_be_stored' } },
  ]);
  await transact(api.sql, (tx) => markTaken(tx, 'writer', [at(3, 1n, id)]));
  await recordDeadLetters(api.sql, letters);
  expect((await trace(id)).body.records).toMatchObject([
    { stored_at: expect.any(String), dead_lettered: null },
  ]);
});

test("a receipt has the writer's reason for a record that is a dead letter of writer and evaluator", async () => {
  const id = await receiptWith(place(3, 2n));
  const reason = async () => (await trace(id)).body.records[0].dead_lettered.reason;
  await recordDeadLetters(api.sql, [{ consumer: 'evaluator', delivery: at(3, 2n, id) }]);
  expect(await reason()).toBe('cannot_be_evaluated');
  await recordDeadLetters(api.sql, [{ consumer: 'writer', delivery: at(3, 2n, id) }]);
  expect(await reason()).toBe('cannot_be_stored');
});

test('an unreadable record is a dead letter in every receipt with payloads in it', async () => {
  const [mine, other] = [await receiptWith(place(4, 5n)), await receiptWith(place(4, 6n))];
  const letters = [{ consumer: 'writer', delivery: { ...at(4, 5n), value: Buffer.from('noise') } }];
  await recordDeadLetters(api.sql, letters);
  await recordDeadLetters(api.sql, letters);
  expect((await trace(mine)).body.records).toMatchObject([{ dead_lettered: { reason: 'unreadable' } }]);
  expect((await trace(other)).body.records).toMatchObject([{ dead_lettered: null }]);
});

test('the receipt of a transaction reports all of its payloads as stored', async () => {
  const id = await receiptWith({ transaction: '88123' });
  await transact(api.sql, (tx) => markTaken(tx, 'writer', [at(0, 3n, id)]));
  expect((await trace(id)).body.records).toEqual([
    { transaction: '88123', stored_at: expect.any(String), evaluated_at: null, dead_lettered: null },
  ]);
});

test('an ingest key reads its own receipts, and a key with the scope read those of its organization', async () => {
  const id = await receiptWith({ transaction: '1' });
  const agent = api.keys.get(keyDigest('agent'));
  if (agent === undefined) throw new Error('there is no agent');
  api.keys.set(keyDigest('another-agent'), { ...agent, id: newId('key') });
  const answers = await Promise.all(
    ['agent', 'admin', 'another-agent', 'stranger', 'reader'].map((key) => trace(id, key)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 403]);
  expect((await trace('rcp_none', 'admin')).status).toBe(404);
});
