import { withoutPackedLists, withPackedLists } from './packed-lists.fixture.ts';

/** The messages of Prometheus' remote write, as its specifications 1.0 and 2.0 describe them. */
const MESSAGES = `
syntax = "proto3";
message Sample { double value = 1; int64 timestamp = 2; int64 start_timestamp = 3; }
message BucketSpan { sint32 offset = 1; uint32 length = 2; }
message Histogram {
  oneof count { uint64 count_int = 1; double count_float = 2; }
  double sum = 3;
  sint32 schema = 4;
  double zero_threshold = 5;
  oneof zero_count { uint64 zero_count_int = 6; double zero_count_float = 7; }
  repeated BucketSpan negative_spans = 8;
  repeated sint64 negative_deltas = 9;
  repeated double negative_counts = 10;
  repeated BucketSpan positive_spans = 11;
  repeated sint64 positive_deltas = 12;
  repeated double positive_counts = 13;
  int32 reset_hint = 14;
  int64 timestamp = 15;
  repeated double custom_values = 16;
  int64 start_timestamp = 17;
}
message Label { string name = 1; string value = 2; }
message Exemplar1 { repeated Label labels = 1; double value = 2; int64 timestamp = 3; }
message Series1 {
  repeated Label labels = 1;
  repeated Sample samples = 2;
  repeated Exemplar1 exemplars = 3;
  repeated Histogram histograms = 4;
}
message Metadata1 { int32 type = 1; string metric_family_name = 2; string help = 4; string unit = 5; }
message Request1 { repeated Series1 timeseries = 1; repeated Metadata1 metadata = 3; }
message Exemplar2 { repeated uint32 labels_refs = 1; double value = 2; int64 timestamp = 3; }
message Metadata2 { int32 type = 1; uint32 help_ref = 3; uint32 unit_ref = 4; }
message Series2 {
  repeated uint32 labels_refs = 1;
  repeated Sample samples = 2;
  repeated Histogram histograms = 3;
  repeated Exemplar2 exemplars = 4;
  Metadata2 metadata = 5;
  int64 created_timestamp = 6;
}
message Request2 { repeated string symbols = 4; repeated Series2 timeseries = 5; }
`;

const root = withPackedLists(MESSAGES);
const unpacked = withoutPackedLists(MESSAGES);

/** Bodies of version 1.0 by protobufjs. */
export const request1 = root.lookupType('Request1');
/** Bodies of version 2.0 by protobufjs. */
export const request2 = root.lookupType('Request2');

export interface SampleFixture {
  value?: number;
  timestamp?: number;
  startTimestamp?: number;
}

export interface SeriesFixture {
  /** Names and values by turns. */
  labels: readonly string[];
  samples?: readonly SampleFixture[];
  histograms?: readonly object[];
  exemplars?: readonly object[];
  /** Of version 2.0 only. */
  type?: number;
  unit?: string;
  createdTimestamp?: number;
}

/** Labels as messages. */
function labelMessages(labels: readonly string[]): { name: string; value: string }[] {
  return Array.from({ length: labels.length / 2 }, (_, index) => ({
    name: labels[2 * index] as string,
    value: labels[2 * index + 1] as string,
  }));
}

/** A body of version 1.0. */
export function encodeRequest1(series: readonly SeriesFixture[], metadata: readonly object[] = []): Buffer {
  const timeseries = series.map(({ labels, samples, histograms, exemplars }) => ({
    labels: labelMessages(labels),
    samples,
    histograms,
    exemplars,
  }));
  return Buffer.from(request1.encode(request1.fromObject({ timeseries, metadata })).finish());
}

/** A body of version 2.0, whose table of symbols has each text once. */
export function encodeRequest2(series: readonly SeriesFixture[]): Buffer {
  const symbols = new Map([['', 0]]);
  const refOf = (text: string) => {
    const ref = symbols.get(text) ?? symbols.size;
    symbols.set(text, ref);
    return ref;
  };
  const timeseries = series.map(
    ({ labels, samples, histograms, exemplars, type, unit, createdTimestamp }) => ({
      labelsRefs: labels.map(refOf),
      samples,
      histograms,
      exemplars,
      metadata: { type: type ?? 0, unitRef: refOf(unit ?? '') },
      createdTimestamp,
    }),
  );
  const body = request2.fromObject({ symbols: [...symbols.keys()], timeseries });
  return Buffer.from(request2.encode(body).finish());
}

/** The body of version 1.0 or 2.0 with a field for each number of its lists. */
export function withoutPacking(version: 1 | 2, body: Uint8Array): Buffer {
  const type = unpacked.lookupType(`Request${version}`);
  return Buffer.from(type.encode(type.decode(body)).finish());
}

/** Series like those of one scrape of node_exporter on host `host` at `time` (ms): 512, each with one sample. */
export function scrapeOf(host: string, time: number): SeriesFixture[] {
  const from = ['instance', `${host}:9100`, 'job', 'node'];
  return Array.from({ length: 512 }, (_, index) => {
    const samples = [{ value: index * 1.25 + (time % 1_000_000) / 7, timestamp: time }];
    if (index < 192)
      return { labels: ['__name__', `node_memory_Some_state_${index}_bytes`, ...from], samples };
    if (index < 320) {
      const device = ['device', `eth${index % 4}`];
      return { labels: ['__name__', `node_network_${index >> 2}_bytes_total`, ...device, ...from], samples };
    }
    if (index < 400) {
      const labels = [
        '__name__',
        'node_filesystem_avail_bytes',
        'device',
        '/dev/sda1',
        'fstype',
        'ext4',
        ...from,
      ];
      return { labels: [...labels, 'mountpoint', `/var/lib/volume/${index}`], samples };
    }
    const labels = ['__name__', 'node_cpu_seconds_total', 'cpu', String(index >> 3), ...from];
    return { labels: [...labels, 'mode', `mode_${index % 8}`], samples };
  });
}
