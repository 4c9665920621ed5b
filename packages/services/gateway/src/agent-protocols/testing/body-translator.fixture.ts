import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { Translators } from '../handling/translators.ts';
import { lineProtocolDecoder } from '../influx/decode-line-protocol.ts';
import { decodeOtlpProtobuf } from '../otlp/decode-otlp-protobuf.ts';
import { remoteWrite1Decoder } from '../remote-write/decode-remote-write-1.ts';
import { remoteWrite2Decoder } from '../remote-write/decode-remote-write-2.ts';
import { MetricTypes } from '../remote-write/metric-types.ts';
import { SeriesOrders } from '../remote-write/series-orders.ts';
import { PointBatch } from '../series/point-batch.ts';
import type { PointDecoder } from '../series/point-sink.ts';
import { DEFAULT_HOST_LABELS } from '../translation/host-identity.ts';
import type { Sender } from '../translation/sender.ts';
import { SeriesHash } from '../wire/series-hash.ts';

/** The protocols whose bodies are translated. */
export type BodyForm = 'remote_write_1' | 'remote_write_2' | 'otlp' | 'influx';

export interface BodyTranslator {
  /** How many series it remembers. */
  readonly series: number;
  /** The payloads of a body without content encoding that arrives at `receivedAt`, ms, as one that is made durable at once. */
  translate(form: BodyForm, body: Buffer, receivedAt: number): { payloads: Payload[]; points: number };
}

const ORGANIZATION = 'org_1';
const MAX_SERIES = 4_000_000;

/** Translates bodies of other agents as a gateway does, for one organization. */
export function openBodyTranslator(): BodyTranslator {
  let now = 0;
  const types = new MetricTypes(new SeriesHash([1, 2]));
  const orders = new SeriesOrders(MAX_SERIES);
  const translators = new Translators({
    maxSeries: MAX_SERIES,
    hostLabels: DEFAULT_HOST_LABELS,
    applications: true,
    counterForm: 'rates',
    stepMs: 1_000,
    clock: () => now,
    metrics: createMetrics(),
  });
  const decoders: Record<BodyForm, (receivedAt: number) => PointDecoder> = {
    remote_write_1: () => remoteWrite1Decoder(types),
    remote_write_2: () => remoteWrite2Decoder(orders, ORGANIZATION),
    otlp: () => decodeOtlpProtobuf,
    influx: (receivedAt) => lineProtocolDecoder('ns', receivedAt),
  };
  return {
    get series() {
      return translators.series;
    },
    translate(form, body, receivedAt) {
      now = receivedAt;
      const sender: Sender = {
        id: 'key',
        host: null,
        onlyHost: null,
        isAllowed: () => true,
        receivedAt,
        zeroIsArrival: form === 'otlp',
      };
      const translator = translators.of(ORGANIZATION);
      const batch = new PointBatch(translator.source(sender));
      for (const _ of decoders[form](receivedAt)(body, batch as never));
      const { payloads, commit } = translator.translate(batch, sender);
      commit();
      batch.release();
      let points = batch.series.length + batch.histograms.length;
      for (const count of batch.omissions.values()) points += count;
      return { payloads, points };
    },
  };
}
