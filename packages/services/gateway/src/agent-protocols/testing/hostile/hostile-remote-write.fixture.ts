import { nested, number } from '../../../testing/protobuf-bytes.fixture.ts';
import { compressSnappy } from '../../../testing/snappy.fixture.ts';
import { each, type HostileBody, MIB, NOW, repeated, twoTexts } from './hostile-body.fixture.ts';

const WRITE = { path: '/api/v1/write', type: 'application/x-protobuf', encoding: 'snappy' };
const WRITE_2 = { ...WRITE, type: 'application/x-protobuf;proto=io.prometheus.write.v2.Request' };

const series = (...parts: readonly (Buffer | string)[]) => nested(1, ...parts);
const sample = nested(2, number(2, NOW));
const OF_HOST = [twoTexts(1, '__name__', 'm'), twoTexts(1, 'host', 'a')] as const;

/** A native histogram with as many buckets, each of which counts one. */
const histogram = (buckets: number) =>
  nested(
    4,
    number(1, buckets),
    nested(11, number(2, buckets)),
    nested(12, Buffer.from([2]), Buffer.alloc(buckets - 1)),
    number(15, NOW),
  );

/** References to as many labels, of whose symbols the first one is the `first`. */
const references = (labels: number, first: number) =>
  each(labels * 2, (index) => Buffer.from([((first + index) % 128) | 128, (first + index) >> 7]));

export const HOSTILE_REMOTE_WRITE: readonly HostileBody[] = [
  {
    ...WRITE,
    name: 'a series with millions of samples',
    body: () => compressSnappy(series(...OF_HOST, repeated(sample, 4 * MIB))),
    status: 400,
  },
  {
    ...WRITE,
    name: 'a million labels of one series',
    body: () => compressSnappy(series(repeated(twoTexts(1, 'a', 'b'), 8 * MIB), sample)),
    status: 400,
  },
  {
    ...WRITE,
    name: 'hundreds of thousands of series without a host',
    body: () => compressSnappy(repeated(series(twoTexts(1, '__name__', 'm'), sample), 4 * MIB)),
    status: 400,
  },
  {
    ...WRITE,
    name: '60,000 new series',
    body: () =>
      compressSnappy(
        each(60_000, (index) =>
          series(twoTexts(1, '__name__', `m_${index}`), twoTexts(1, 'host', 'many'), sample),
        ),
      ),
    status: 400,
  },
  {
    ...WRITE,
    name: 'new series with 256 labels each',
    body: () => {
      const labels = each(253, (index) => twoTexts(1, `l${index}`, `v${index}`));
      return compressSnappy(
        each(3_000, (index) =>
          series(twoTexts(1, '__name__', 'm'), twoTexts(1, 'index', `${index}`), labels, sample),
        ),
      );
    },
    status: 400,
  },
  {
    ...WRITE,
    name: 'a length beyond the body',
    body: () => compressSnappy(Buffer.from([10, 255, 255, 255, 255, 15])),
    status: 400,
  },
  {
    ...WRITE,
    name: 'a name of 15 MiB',
    body: () => compressSnappy(series(twoTexts(1, '__name__', 'x'.repeat(15 * MIB)), OF_HOST[1], sample)),
    status: 400,
  },
  {
    ...WRITE,
    name: 'metadata of 200,000 families',
    body: () =>
      compressSnappy(each(200_000, (index) => nested(3, number(1, 1), nested(2, `family_${index}`)))),
    status: 204,
  },
  {
    ...WRITE,
    name: 'histograms with 1,000 buckets each',
    body: () => compressSnappy(series(...OF_HOST, repeated(histogram(1_000), 15 * MIB))),
    status: 204,
  },
  {
    ...WRITE,
    name: '20,000 histograms with 150 buckets each',
    body: () =>
      compressSnappy(
        series(
          ...OF_HOST,
          each(20_000, () => histogram(150)),
        ),
      ),
    status: 400,
  },
  { ...WRITE_2, name: 'millions of symbols', body: () => compressSnappy(repeated(nested(4))), status: 204 },
  {
    ...WRITE_2,
    name: 'a series with millions of references',
    body: () =>
      compressSnappy(Buffer.concat([nested(4), nested(5, nested(1, Buffer.alloc(15 * MIB)), sample)])),
    status: 400,
  },
  {
    ...WRITE_2,
    name: 'new series that refer to 255 labels each',
    body: () => {
      const symbols = each(16_000, (index) => nested(4, index === 0 ? '' : `symbol_${index}`));
      const all = each(10_000, (index) => nested(5, nested(1, references(255, 1 + index)), sample));
      return compressSnappy(Buffer.concat([symbols, all]));
    },
    status: 400,
  },
  {
    ...WRITE_2,
    name: 'labels that refer to a symbol of a mebibyte',
    body: () => {
      const symbols = [nested(4), nested(4, 'x'.repeat(MIB)), each(300, (index) => nested(4, `l${index}`))];
      const labels = each(250, (index) => Buffer.from([((index + 2) % 128) | 128, (index + 2) >> 7, 1]));
      return compressSnappy(
        Buffer.concat([...symbols, each(1_000, () => nested(5, nested(1, labels), sample))]),
      );
    },
    status: 400,
  },
  {
    ...WRITE_2,
    name: 'millions of references to a symbol of 200 KiB',
    body: () => {
      const symbols = [nested(4), nested(4, 'x'.repeat(200 * 1_024))];
      return compressSnappy(
        Buffer.concat([...symbols, repeated(nested(5, nested(1, Buffer.from([1, 1])), sample), 14 * MIB)]),
      );
    },
    status: 400,
  },
];
