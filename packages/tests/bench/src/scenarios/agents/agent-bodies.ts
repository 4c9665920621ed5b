import { gzipSync } from 'node:zlib';
import type { BodyForm } from '@tidewatch/gateway/agent-protocols/body-translator.fixture';
import {
  type CapturedAgent,
  type CapturedRequest,
  readCapture,
} from '@tidewatch/gateway/agent-protocols/captures.fixture';
import { otlpRequest } from '@tidewatch/gateway/testing/otlp.fixture';
import {
  encodeRequest2,
  request1,
  type SeriesFixture,
} from '@tidewatch/gateway/testing/remote-write.fixture';
import { compressSnappy } from '@tidewatch/gateway/testing/snappy.fixture';

/** The host of the captures; hosts of the bench have names of the same length. */
const CAPTURED_HOST = 'web-01';
/** Whole numbers grow by at most so much with each scrape. */
const MAX_PACE = 97;
const NANOS_PER_MS = 1_000_000n;
/** The types of remote write 2.0. */
const [COUNTER, GAUGE] = [1, 2];

/** What one agent sends, made from a captured request. */
export interface AgentBodies {
  name: string;
  form: BodyForm;
  path: string;
  headers: Readonly<Record<string, string>>;
  /**
   * The body of one scrape without content encoding, of the captured host: its times are moved so that the last one is `time` (ms),
   * and each value grows with `round`, so that counters grow.
   */
  body(round: number, time: number): Buffer;
  compress(body: Buffer): Buffer;
}

/** The name of a host by its number and how its values are sent; as long as that of the captured one. */
export function hostName(way: 'agent' | 'native', host: number): string {
  return `${way.slice(0, 1)}${String(host).padStart(CAPTURED_HOST.length - 1, '0')}`;
}

/** The body for another host, whose name is as long. */
export function forHost(body: Buffer, host: string): Buffer {
  const copy = Buffer.from(body);
  for (let at = copy.indexOf(CAPTURED_HOST); at >= 0; at = copy.indexOf(CAPTURED_HOST, at))
    copy.write(host, at);
  return copy;
}

/** A value that grows with `round`, at another pace for each place in a body; whole numbers stay whole ones. */
function grown(value: number, round: number, place: number): number {
  const pace = 1 + (place % MAX_PACE);
  return Number.isInteger(value) ? value + round * pace : value * (1 + (round * pace) / 100_000);
}

function bodiesOf(
  agent: CapturedAgent,
  name: string,
  form: BodyForm,
  bodyOf: (capture: CapturedRequest) => AgentBodies['body'],
): AgentBodies {
  const capture = readCapture(agent, 2);
  const { 'user-agent': _, ...headers } = capture.headers;
  const compress = headers['content-encoding'] === 'gzip' ? (body: Buffer) => gzipSync(body) : compressSnappy;
  return { name, form, path: capture.path, headers, body: bodyOf(capture), compress };
}

interface Sample {
  value: number;
  timestamp: number;
}
interface Series {
  labels: { name: string; value: string }[];
  samples: Sample[];
}

function movedSeries(capture: CapturedRequest, round: number, time: number): Series[] {
  const { timeseries } = request1.toObject(request1.decode(capture.body), {
    longs: Number,
    defaults: true,
  }) as {
    timeseries: Series[];
  };
  const last = Math.max(...timeseries.flatMap(({ samples }) => samples.map(({ timestamp }) => timestamp)));
  for (const [place, { samples }] of timeseries.entries())
    for (const sample of samples) {
      sample.timestamp += time - last;
      sample.value = grown(sample.value, round, place);
    }
  return timeseries;
}

const remoteWrite1 = (capture: CapturedRequest) => (round: number, time: number) =>
  Buffer.from(
    request1.encode(request1.fromObject({ timeseries: movedSeries(capture, round, time) })).finish(),
  );

/** The captured series of version 1.0 in version 2.0, with the types by their names. */
const remoteWrite2 = (capture: CapturedRequest) => (round: number, time: number) =>
  encodeRequest2(
    movedSeries(capture, round, time).map(({ labels, samples }): SeriesFixture => {
      const name = labels.find((label) => label.name === '__name__')?.value ?? '';
      const texts = labels.flatMap((label) => [label.name, label.value]);
      return { labels: texts, samples, type: name.endsWith('_total') ? COUNTER : GAUGE };
    }),
  );

interface OtlpPoint {
  timeUnixNano: string;
  asDouble?: number;
  asInt?: string;
}
interface OtlpBody {
  resourceMetrics: {
    scopeMetrics: { metrics: Partial<Record<'gauge' | 'sum', { dataPoints: OtlpPoint[] }>>[] }[];
  }[];
}

const otlp = (capture: CapturedRequest) => (round: number, time: number) => {
  const body = otlpRequest.toObject(otlpRequest.decode(capture.body), { longs: String }) as OtlpBody;
  const moved = BigInt(time - capture.receivedAt) * NANOS_PER_MS;
  let place = 0;
  for (const { scopeMetrics } of body.resourceMetrics)
    for (const { gauge, sum } of scopeMetrics.flatMap(({ metrics }) => metrics))
      for (const point of gauge?.dataPoints ?? sum?.dataPoints ?? []) {
        place += 1;
        point.timeUnixNano = String(BigInt(point.timeUnixNano) + moved);
        if (point.asInt !== undefined) point.asInt = String(grown(Number(point.asInt), round, place));
        else if (point.asDouble !== undefined) point.asDouble = grown(point.asDouble, round, place);
      }
  return Buffer.from(otlpRequest.encode(otlpRequest.fromObject(body)).finish());
};

/** A line: measurement and tags, fields, and the time in nanoseconds. */
const LINE = /^((?:\\.|[^\\ ])+) (.+) \d+$/gm;
const FIELD = /=(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(i?)(?=,|$)/g;

const lineProtocol = (capture: CapturedRequest) => (round: number, time: number) => {
  let place = 0;
  const lines = capture.body.toString('utf8').replaceAll(LINE, (_line, key: string, fields: string) => {
    const grew = fields.replaceAll(
      FIELD,
      (_field, value: string, suffix: string) => `=${grown(Number(value), round, place++)}${suffix}`,
    );
    return `${key} ${grew} ${time}000000`;
  });
  return Buffer.from(lines);
};

/** The agents whose cost is measured. */
export function agentBodies(): AgentBodies[] {
  const version2 = bodiesOf(
    'prometheus',
    'remote write 2.0, the same series',
    'remote_write_2',
    remoteWrite2,
  );
  return [
    bodiesOf('prometheus', 'remote write 1.0, Prometheus', 'remote_write_1', remoteWrite1),
    bodiesOf('vmagent', 'remote write 1.0, vmagent', 'remote_write_1', remoteWrite1),
    {
      ...version2,
      headers: {
        ...version2.headers,
        'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
        'x-prometheus-remote-write-version': '2.0.0',
      },
    },
    bodiesOf('otel-collector', 'OTLP, Collector with hostmetrics', 'otlp', otlp),
    bodiesOf('telegraf', 'line protocol, Telegraf', 'influx', lineProtocol),
  ];
}
