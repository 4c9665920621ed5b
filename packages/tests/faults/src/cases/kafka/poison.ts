import { seal } from '@tidewatch/bus/kafka/format/envelope';
import { createSampleFormat } from '@tidewatch/bus/kafka/format/sample-format';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { metricsOf, type SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { catchUp } from '../../check/lag.ts';
import { readTopic } from '../../check/topic-values.ts';
import type { FaultCase } from '../../fault-case.ts';

/** Records that a consumer cannot read, each for a different reason. */
function poison(organizationId: string): Record<string, Buffer> {
  const format = createSampleFormat(64 * 1024);
  const recordOf = (value: SampleRecord) => {
    const record = format.open();
    record.add(value);
    return record.finish();
  };
  const sound = recordOf({ kind: 'heartbeat', at: Date.now() });
  const altered = Buffer.from(sound);
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 0xff;
  const otherVersion = Buffer.from(sound);
  otherVersion[0] = 99;
  const malformed = new ByteWriter();
  malformed.byte(7);
  const payload = { host: 'nul\u0000host', time: Date.now(), ...metricsOf({ cpu_percent: 1 }) };
  const batch = {
    kind: 'samples' as const,
    organizationId,
    receivedAt: Date.now(),
    stalledMs: 0,
    payloads: [payload],
  };
  return {
    'cut short': sound.subarray(0, 3),
    'wrong checksum': altered,
    'unknown version': otherVersion,
    'not ours': seal(malformed.bytes()),
    'five megabytes of noise': Buffer.alloc(5 * 2 ** 20, 0x5a),
    'a text that the database refuses': recordOf(batch),
  };
}

export const poisonRecords: FaultCase = {
  id: '9',
  fault:
    'poison in the topic: cut short, wrong checksum, unknown version, noise of 5 MB, text that the database refuses',
  failpoints: ['poison written', 'buried with its reason'],
  async run({ installation, random, fired, note, expectDeadLetters }) {
    const { kafka, prefix, store } = installation;
    const [organization] = await store.sql<{ id: string }[]>`select id from organizations limit 1`;
    const records = Object.values(poison(organization?.id ?? ''));
    const producer = kafka.producer({
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    });
    await producer.connect();
    for (const value of records) {
      const partition = Math.floor(random() * 8);
      await producer.send({ topic: prefix + TOPICS.samples, messages: [{ partition, value }] });
      fired('poison written');
    }
    await producer.disconnect();
    // Writer and evaluator each make a dead letter of every record that they cannot read.
    expectDeadLetters(records.length * 2);
    await catchUp(installation, 60_000);
    const reasons = new Set<string>();
    for (const { headers } of await readTopic(installation, TOPICS.samplesDeadLetter)) {
      const reason = headers?.reason?.toString();
      if (reason && headers?.offset && headers.partition && headers.time) fired('buried with its reason');
      if (reason) reasons.add(reason);
    }
    note(`reasons: ${[...reasons].join('; ')}`);
  },
};
