import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { IgnoredCounts } from './decoding/decoded-body.ts';

/** The numbers of payloads, of host metric values, and of samples: values of hosts, containers and parts. */
export interface PayloadCounts {
  payloads: number;
  values: number;
  samples: number;
}

export function countPayloads(payloads: readonly Payload[]): PayloadCounts {
  let values = 0;
  let ofMembers = 0;
  for (const { metrics, containers, parts } of payloads) {
    values += metrics.length;
    if (parts !== undefined) ofMembers += parts.values.length;
    if (containers === undefined) continue;
    for (const container of containers)
      for (const name in container)
        if (typeof (container as unknown as Record<string, unknown>)[name] === 'number') ofMembers += 1;
  }
  return { payloads: payloads.length, values, samples: values + ofMembers };
}

/** The counters of ingest. */
export interface IngestMeter {
  accepted(counts: PayloadCounts): void;
  /** Counts payloads that lenient handling left out. */
  rejectedPayloads(count: number): void;
  /** Counts ignored fields of decoded payloads, by label. */
  ignoredFields(counts: IgnoredCounts): void;
  /** Counts a request that was refused with this code. */
  refused(code: string): void;
}

export function createIngestMeter(metrics: Metrics): IngestMeter {
  const events = metrics.counter('tidewatch_events_accepted_total', 'Payloads accepted and made durable.');
  const samples = metrics.counter(
    'tidewatch_samples_accepted_total',
    'Host metric values accepted and made durable.',
  );
  const left = metrics.counter('tidewatch_events_rejected_total', 'Payloads that lenient handling left out.');
  const refusals = metrics.counter(
    'tidewatch_ingest_rejected_total',
    'Requests of ingest refused, by code.',
    ['code'],
  );
  const unknown = metrics.counter(
    'tidewatch_ingest_unknown_fields_total',
    'Fields of payloads that ingest ignored, by the known field that they resemble, or other.',
    ['field'],
  );
  return {
    accepted({ payloads, values }) {
      events.inc(payloads);
      samples.inc(values);
    },
    rejectedPayloads(count) {
      if (count > 0) left.inc(count);
    },
    ignoredFields(counts) {
      for (const field in counts) unknown.inc({ field }, counts[field]);
    },
    refused: (code) => refusals.inc({ code }),
  };
}
