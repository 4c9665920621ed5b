import { openKafka } from '@tidewatch/bus/kafka/connection';
import { createSampleFormat } from '@tidewatch/bus/kafka/format/sample-format';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore, type Store } from '@tidewatch/database/connection';
import { type EventStream, openEventStream } from '@tidewatch/harness/event-stream';
import { type Installation, openInstallation, type ServiceProcess } from '@tidewatch/harness/installation';
import { brokersOfWorker } from '@tidewatch/harness/parts/brokers-of-worker';
import { appendEvents } from '@tidewatch/store/outbox/append';
import { saveReceipt } from '@tidewatch/store/receipts/receipts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const WITHIN = { interval: 100 };
const PARTITION = 2;

describe.skipIf(inject('kafka').state === 'lacked')(
  '[needs Kafka] events and receipts of several processes',
  () => {
    let installation: Installation;
    let admin: Store;
    let one: ServiceProcess;
    let other: ServiceProcess;
    let writer: ServiceProcess;

    beforeAll(async () => {
      installation = await openInstallation();
      admin = openStore({ url: installation.database.adminUrl, max: 2 });
      [one, other, writer] = await Promise.all([
        installation.start('query-api'),
        installation.start('query-api'),
        installation.start('writer'),
        installation.start('evaluator'),
      ]);
    });
    afterAll(async () => {
      await admin?.close();
      await installation?.close();
    });

    const follow = (service: ServiceProcess, more: object = {}) =>
      openEventStream(`${service.url}/api/v1/events?types=rule.created`, { key: installation.key, ...more });
    const subjects = (...streams: EventStream[]) =>
      streams.flatMap(({ events }) => events.map(({ data }) => data.subject));

    // biome-ignore lint/suspicious/noExplicitAny: answers whose schemas are tested elsewhere
    async function ask(service: ServiceProcess, path: string, body?: object): Promise<any> {
      const response = await fetch(`${service.url}/api/v1${path}`, {
        headers: { 'x-api-key': installation.key, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    }

    it('a client resumes its stream at another process without a gap or a repetition', async () => {
      const terms = { metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
      const made: string[] = [];
      let making = true;
      const maker = (async () => {
        for (let rule = 0; making; rule += 1)
          made.push(
            (await ask(rule % 2 ? one : other, '/alerts/rules', { name: `rule ${rule}`, ...terms })).id,
          );
      })();
      const streams: EventStream[] = [await follow(one)];
      // Resumes the stream at another process repeatedly, each time from the last received id.
      for (const service of [other, one, other]) {
        const before = streams.at(-1) as EventStream;
        await expect.poll(() => before.events.length, WITHIN).toBeGreaterThan(3);
        before.close();
        streams.push(await follow(service, { lastEventId: before.lastId() }));
      }
      making = false;
      await maker;
      await expect.poll(() => subjects(...streams).at(-1), WITHIN).toBe(made.at(-1));
      const seen = subjects(...streams);
      expect(seen.toSorted()).toEqual(made.slice(-seen.length).toSorted());
      expect(new Set(seen).size).toBe(seen.length);
      for (const stream of streams) stream.close();
    });

    it('a client that does not read is disconnected, and the others receive every event', async () => {
      const [organization] = await admin.sql<{ id: string }[]>`
        select id from organizations o where exists (select 1 from alert_rules r where r.organization_id = o.id)`;
      const [slow, quick] = [await follow(one), await follow(one)];
      slow.pause();
      const ids: string[] = [];
      const data = { text: 'x'.repeat(100_000) };
      const dropped = async () => {
        const text = await (await fetch(`${one.adminUrl}/metrics`)).text();
        return /^tidewatch_event_streams_dropped_total\{reason="slow"\} (\d+)/m.exec(text)?.[1];
      };
      await expect
        .poll(async () => {
          const entries = Array.from({ length: 20 }, () => {
            const id = newId('evt');
            ids.push(id);
            return { organizationId: organization?.id ?? '', event: { id, type: 'rule.created', data } };
          });
          await appendEvents(admin.sql, entries);
          return dropped();
        }, WITHIN)
        .toBe('1');
      await expect.poll(() => quick.events.map(({ id }) => id), WITHIN).toEqual(ids);
      slow.resume();
      await expect.poll(() => slow.ended(), WITHIN).toBe(true);
      quick.close();
    });

    it('a receipt reports the dead letters of its request with their reasons, and no others', async () => {
      const [organization] = await admin.sql<{ id: string }[]>`
      select id from organizations o where exists (select 1 from alert_rules r where r.organization_id = o.id)`;
      const organizationId = organization?.id ?? '';
      const format = createSampleFormat(64 * 1024);
      const batchOf = (host: string, receiptId: string) => ({
        kind: 'samples' as const,
        organizationId,
        receivedAt: Date.now(),
        stalledMs: 0,
        receiptId,
        payloads: [{ host, time: Date.now(), ...metricsOf({ cpu_percent: 1 }) }],
      });
      const [sound, poison, noise] = [newId('rcp'), newId('rcp'), newId('rcp')];
      // The first two publications share a record.
      const record = format.open();
      record.add(batchOf('sound-01', sound));
      record.add(batchOf('nul\u0000host', poison));
      const brokers = brokersOfWorker().split(',');
      const kafka = openKafka({ brokers, clientId: 'stranger', log: () => undefined });
      const producer = kafka.producer({ createPartitioner: () => () => PARTITION });
      await producer.connect();
      const topic = installation.prefix + TOPICS.samples;
      const messages = [{ value: record.finish() }, { value: Buffer.from('not what we write') }];
      const [sent] = await producer.send({ topic, acks: -1, messages });
      await producer.disconnect();
      const base = BigInt(sent?.baseOffset ?? 0);
      const keep = (id: string, offset: bigint) =>
        saveReceipt(admin.sql, {
          organizationId,
          id,
          keyId: newId('key'),
          acceptedAt: Date.now(),
          records: [{ topic, partition: PARTITION, offset: String(offset) }],
        });
      await Promise.all([keep(sound, base), keep(poison, base), keep(noise, base + 1n)]);

      const fateOf = async (id: string) => (await ask(one, `/ingest/receipts/${id}`)).records[0];
      await expect
        .poll(() => fateOf(poison), WITHIN)
        .toMatchObject({
          partition: PARTITION,
          offset: String(base),
          stored_at: null,
          dead_lettered: { reason: 'cannot_be_stored', at: expect.any(String) },
        });
      await expect
        .poll(() => fateOf(sound), WITHIN)
        .toMatchObject({
          stored_at: expect.any(String),
          evaluated_at: expect.any(String),
          dead_lettered: null,
        });
      await expect
        .poll(() => fateOf(noise), WITHIN)
        .toMatchObject({
          stored_at: null,
          evaluated_at: null,
          dead_lettered: { reason: 'unreadable' },
        });
      const metrics = await (await fetch(`${writer.adminUrl}/metrics`)).text();
      expect(metrics).toMatch(/^tidewatch_dead_letters_total\{consumer="writer"\} [1-9]/m);
    });
  },
);
