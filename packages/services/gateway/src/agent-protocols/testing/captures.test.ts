import { describe, expect, it } from 'vitest';
import { RecordingSink } from '../../testing/recording-sink.harness.ts';
import { decodeCollectd } from '../collectd/decode-collectd.ts';
import { lineProtocolDecoder } from '../influx/decode-line-protocol.ts';
import { decodeOtlpProtobuf } from '../otlp/decode-otlp-protobuf.ts';
import { remoteWrite1Decoder } from '../remote-write/decode-remote-write-1.ts';
import { MetricTypes } from '../remote-write/metric-types.ts';
import type { PointDecoder } from '../series/point-sink.ts';
import { SeriesHash } from '../wire/series-hash.ts';
import { CAPTURED_AGENTS, type CapturedAgent, readCapture, readExpected } from './captures.fixture.ts';

const remoteWrite = remoteWrite1Decoder(new MetricTypes(new SeriesHash([1, 2])));

interface Counts {
  agent: CapturedAgent;
  decode: PointDecoder;
  /** Points of the first and of the second request. */
  points: [number, number];
  series: number;
  omitted: Record<string, number>;
  load: string;
}

const LINES = lineProtocolDecoder('ns', 0);

/** The counts were taken from the bodies by other means: the parts of lines between commas, `JSON.parse`, and libraries. */
const COUNTS: Counts[] = [
  {
    agent: 'telegraf',
    decode: LINES,
    points: [118, 118],
    series: 118,
    omitted: { text: 1 },
    load: 'system_load1',
  },
  {
    agent: 'collectd',
    decode: decodeCollectd,
    points: [108, 121],
    series: 83,
    omitted: {},
    load: 'collectd.load.load.shortterm',
  },
  {
    agent: 'prometheus',
    decode: remoteWrite,
    points: [510, 510],
    series: 510,
    omitted: {},
    load: 'node_load1',
  },
  { agent: 'vmagent', decode: remoteWrite, points: [511, 511], series: 511, omitted: {}, load: 'node_load1' },
];

describe.each(COUNTS)('captured requests of $agent', ({ agent, decode, points, series, omitted, load }) => {
  it('are decoded whole, with the series of the first found again in the second', () => {
    const sink = new RecordingSink();
    for (const index of [1, 2] as const) {
      sink.take(decode, readCapture(agent, index).body);
      expect(sink.counts).toEqual({
        points: points[index - 1],
        rejected: {},
        rejectedHistograms: {},
        omitted,
      });
      expect(sink.described).toBe(series);
    }
  });

  it("have the load that Tidewatch's agent reported at that time", () => {
    const sink = new RecordingSink().take(decode, readCapture(agent, 2).body);
    const sent = sink.points.findLast((point) => point.series.name === load)?.value;
    expect(Math.abs((sent as number) - (readExpected(agent)['load_1'] as number))).toBeLessThan(1);
  });
});

describe('captured requests', () => {
  it.each<[CapturedAgent, number]>([
    ['otel-collector', 93],
    ['otel-js', 35],
    ['otel-python', 168],
  ])('of %s are decoded as %d points each, of series that are found again', (agent, points) => {
    const sink = new RecordingSink();
    for (const index of [1, 2] as const) {
      sink.take(decodeOtlpProtobuf, readCapture(agent, index).body);
      expect(sink.counts).toEqual({ points, rejected: {}, rejectedHistograms: {}, omitted: {} });
      expect(sink.described).toBe(points);
    }
  });

  it.each(CAPTURED_AGENTS)('of %s are two in order, without a key', (agent) => {
    const [first, second] = [readCapture(agent, 1), readCapture(agent, 2)];
    const elapsed = second.receivedAt - first.receivedAt;
    expect(elapsed).toBeGreaterThan(5_000);
    expect(elapsed).toBeLessThan(11_000);
    expect(second.body.length).toBeGreaterThan(1_000);
    expect(Object.keys(second.headers)).not.toContain('authorization');
  });
});

describe("lines of Telegraf's captured request", () => {
  it("have the memory and the uptime that Tidewatch's agent reported at that time", () => {
    const { points } = new RecordingSink().take(LINES, readCapture('telegraf', 2).body);
    const sentOf = (name: string) => points.find(({ series }) => series.name === name)?.value as number;
    const expected = readExpected('telegraf');
    expect(
      Math.abs(100 - sentOf('mem_available_percent') - (expected['memory_percent'] as number)),
    ).toBeLessThan(2);
    expect(Math.abs(sentOf('system_uptime') - (expected['uptime_seconds'] as number))).toBeLessThan(2);
    expect(new Set(points.map(({ time }) => time))).toEqual(new Set([1_795_872_450_000]));
  });
});
