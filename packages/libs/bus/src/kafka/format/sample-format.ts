import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { partitionOf } from '@tidewatch/contracts/ingest/partition';
import type { Payload, SampleBatch, SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { seal, unseal } from './envelope.ts';
import { SamplePacker, unpackSamples } from './sample-record.ts';
import type { TopicFormat } from './topic-format.ts';

/** Initial size of a record's buffer, bytes: enough for a heartbeat and a few payloads. The buffer grows. */
const RECORD_BEGINS_WITH = 1_024;
/** Approximate size of one metric in a packed payload, bytes. */
const METRIC_BYTES = 5;
/** The same of a name with its number of processes, bytes. */
const PROCESS_COUNT_BYTES = 20;
const MEMBER_BYTES = 160;

/**
 * The record format of samples. A request's payloads are split by the partitions of their hosts and into records of
 * `recordBytes`; a heartbeat goes to all partitions. A single larger payload is not split.
 */
export function createSampleFormat(recordBytes: number): TopicFormat<SampleRecord> {
  return {
    route({ value }, partitions) {
      if (value.kind === 'heartbeat')
        return Array.from({ length: partitions }, (_, p) => [p, value] as const);
      return splitByPartition(value, partitions, recordBytes);
    },
    open() {
      const writer = new ByteWriter(RECORD_BEGINS_WITH);
      const packer = new SamplePacker(writer);
      return {
        length: () => writer.length,
        add: (value) => packer.add(value),
        finish: () => seal(writer.bytes(), packer.version),
      };
    },
    decode: (record) => unpackSamples(unseal(record)),
  };
}

function weighPayload(payload: Payload): number {
  const { metrics, tags, containers, processes, parts, processCounts } = payload;
  const members =
    (containers?.length ?? 0) + (processes?.length ?? 0) + (parts?.shape.kinds.length ?? 0) + (tags ? 1 : 0);
  const numbers = metrics.length + (parts?.values.length ?? 0);
  const counts = processCounts?.names.length ?? 0;
  return 40 + numbers * METRIC_BYTES + counts * PROCESS_COUNT_BYTES + members * MEMBER_BYTES;
}

function splitByPartition(
  batch: SampleBatch,
  partitions: number,
  recordBytes: number,
): (readonly [number, SampleBatch])[] {
  const parts: (readonly [number, SampleBatch])[] = [];
  const open: ({ payloads: Payload[]; bytes: number } | undefined)[] = Array(partitions);
  for (const payload of batch.payloads) {
    const partition = partitionOf(batch.organizationId, payload.host, partitions);
    const bytes = weighPayload(payload);
    const part = open[partition];
    if (part && part.bytes + bytes <= recordBytes) {
      part.payloads.push(payload);
      part.bytes += bytes;
      continue;
    }
    const payloads = [payload];
    open[partition] = { payloads, bytes };
    parts.push([partition, { ...batch, payloads }]);
  }
  return parts;
}
