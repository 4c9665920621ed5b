import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EventLoopWatch } from '@tidewatch/harness/event-loop-watch';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { openTestGateway, TEST_KEY } from '../testing/gateway.harness.ts';
import { double, nested, number, varint } from '../testing/protobuf-bytes.fixture.ts';
import { compressSnappy } from '../testing/snappy.fixture.ts';
import { readCapture } from './testing/captures.fixture.ts';

const gateway = await openForFile(openTestGateway({ seriesLimit: 1_000_000, foreignSeries: 50_000 }));

const MIB = 1_048_576;
/** How much memory may be left over after a request, and how long the event loop may be held up on a busy machine. */
const MAX_LEFT_BYTES = 64 * MIB;
const MAX_ROUND_MS = 1_500;
/** Just below the max size of a body. */
const FULL_BYTES = 15.5 * MIB;

const repeated = (piece: Buffer, bytes = FULL_BYTES) =>
  Buffer.alloc(Math.floor(bytes / piece.length) * piece.length, piece);
const series = (...parts: readonly (Buffer | string)[]) => nested(1, ...parts);
const label = (name: string, value: string) => nested(1, nested(1, name), nested(2, value));
const sample = nested(2, number(2, Date.now()));

/** Series that differ in a label, each with one sample. */
function differentSeries(count: number, host: string): Buffer {
  const names = Array.from({ length: count }, (_, index) =>
    series(label('__name__', `m_${index}`), label('host', host), sample),
  );
  return Buffer.concat(names);
}

interface Hostile {
  name: string;
  path: string;
  type: string;
  body: Buffer;
  encoding?: string;
  status: number;
}

const WRITE = { path: '/api/v1/write', type: 'application/x-protobuf', encoding: 'snappy' };
const OTLP = { path: '/v1/metrics', type: 'application/x-protobuf' };
const LINES = { path: '/api/v2/write?bucket=b', type: 'text/plain' };
const COLLECTD = { path: '/collectd', type: 'application/json' };
const DEEP = Array.from({ length: 10_000 }).reduce<Buffer>(
  (inner) => nested(5, nested(1, inner)),
  Buffer.alloc(0),
);

const METRIC = nested(2, nested(1, 'm'), nested(5, nested(1, double(4, 1))));

const HOSTILE: readonly Hostile[] = [
  { ...WRITE, name: 'snappy that declares 4 GiB', body: varint(2 ** 32 - 1), status: 400 },
  {
    ...WRITE,
    name: 'a series with millions of samples',
    body: compressSnappy(series(label('__name__', 'm'), label('host', 'a'), repeated(sample, 4 * MIB))),
    status: 400,
  },
  {
    ...WRITE,
    name: 'a million labels of one series',
    body: compressSnappy(series(repeated(label('a', 'b'), 8 * MIB), sample)),
    status: 400,
  },
  {
    ...WRITE,
    name: 'hundreds of thousands of series without a host',
    body: compressSnappy(repeated(series(label('__name__', 'm'), sample), 4 * MIB)),
    status: 400,
  },
  { ...WRITE, name: '60,000 new series', body: compressSnappy(differentSeries(60_000, 'many')), status: 400 },
  {
    ...WRITE,
    name: 'a length beyond the body',
    body: compressSnappy(Buffer.from([10, 255, 255, 255, 255, 15])),
    status: 400,
  },
  { ...OTLP, name: 'millions of resources without points', body: repeated(nested(1)), status: 200 },
  {
    ...OTLP,
    name: 'a value nested 10,000 deep',
    body: nested(1, nested(1, nested(1, nested(1, 'a'), nested(2, DEEP))), nested(2, METRIC)),
    status: 400,
  },
  {
    ...OTLP,
    name: 'millions of points without a value',
    body: nested(1, nested(2, nested(2, nested(1, 'm'), nested(5, repeated(nested(1)))))),
    status: 200,
  },
  {
    ...LINES,
    name: 'a million fields in a line',
    body: Buffer.concat([Buffer.from('m,host=a '), repeated(Buffer.from('a=1,')), Buffer.from('b=1')]),
    status: 400,
  },
  { ...LINES, name: 'lines without fields', body: repeated(Buffer.from('m\n')), status: 400 },
  {
    ...LINES,
    name: 'a text that never ends',
    body: Buffer.concat([Buffer.from('m,host=a a="'), repeated(Buffer.from('x'))]),
    status: 400,
  },
  { ...COLLECTD, name: 'a hundred thousand brackets', body: Buffer.alloc(100_000, '['), status: 400 },
  {
    ...COLLECTD,
    name: 'millions of empty lists',
    body: Buffer.concat([Buffer.from('['), repeated(Buffer.from('{},'), 4 * MIB), Buffer.from('{}]')]),
    status: 400,
  },
];

function memoryAtRest(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function post({ path, type, body, encoding }: Omit<Hostile, 'name' | 'status'>): Promise<number> {
  const headers = {
    'X-API-Key': TEST_KEY,
    'Content-Type': type,
    ...(encoding !== undefined && { 'Content-Encoding': encoding }),
  };
  const response = await fetch(gateway.url + path, { method: 'POST', headers, body: new Uint8Array(body) });
  await response.arrayBuffer();
  return response.status;
}

describe('a hostile body', () => {
  it.each(HOSTILE)(
    'of $path with $name gets $status, leaves no memory and holds nobody up',
    async (hostile) => {
      const before = memoryAtRest();
      const watch = new EventLoopWatch();
      const status = await post(hostile);
      const { cpuMs } = watch.stop();
      gateway.stored.length = 0;
      expect(status).toBe(hostile.status);
      expect(memoryAtRest() - before).toBeLessThan(MAX_LEFT_BYTES);
      expect(cpuMs).toBeLessThan(MAX_ROUND_MS);
      const { body } = readCapture('prometheus', 1);
      expect(await post({ ...WRITE, body: compressSnappy(body) })).toBe(204);
    },
  );
});
