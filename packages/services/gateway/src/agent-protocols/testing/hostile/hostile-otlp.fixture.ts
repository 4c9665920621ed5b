import { double, fixed, nested, number } from '../../../testing/protobuf-bytes.fixture.ts';
import { between, each, type HostileBody, MIB, NOW, repeated } from './hostile-body.fixture.ts';

const OTLP = { path: '/v1/metrics', type: 'application/x-protobuf' };
const JSON_OTLP = { path: '/v1/metrics', type: 'application/json' };

const attribute = (field: number, key: string, value: string) =>
  nested(field, nested(1, key), nested(2, nested(1, value)));
const METRIC = nested(2, nested(1, 'm'), nested(5, nested(1, double(4, 1))));
const TIME = fixed(3, BigInt(NOW) * 1_000_000n);
const POINT = nested(1, TIME, double(4, 1));
const ofHost = (...metrics: readonly Buffer[]) =>
  nested(1, nested(1, attribute(1, 'host.name', 'a')), nested(2, ...metrics));
const gauge = (...points: readonly Buffer[]) => nested(2, nested(1, 'm'), nested(5, ...points));
/** A value that holds a list with a value that holds a list, and so on. */
const deep = () =>
  Array.from({ length: 10_000 }).reduce<Buffer>((inner) => nested(5, nested(1, inner)), Buffer.alloc(0));

export const HOSTILE_OTLP: readonly HostileBody[] = [
  { ...OTLP, name: 'millions of resources without points', body: () => repeated(nested(1)), status: 200 },
  {
    ...OTLP,
    name: 'a value nested 10,000 deep',
    body: () => nested(1, nested(1, nested(1, nested(1, 'a'), nested(2, deep()))), nested(2, METRIC)),
    status: 400,
  },
  {
    ...OTLP,
    name: 'millions of points without a value',
    body: () => nested(1, nested(2, gauge(repeated(nested(1))))),
    status: 200,
  },
  {
    ...OTLP,
    name: '190,000 points of one series',
    body: () => ofHost(gauge(repeated(POINT, 190_000 * POINT.length))),
    status: 200,
  },
  {
    ...OTLP,
    name: 'hundreds of thousands of metrics',
    body: () => ofHost(repeated(gauge(POINT))),
    status: 413,
  },
  {
    ...OTLP,
    name: 'new series with 250 attributes each',
    body: () => {
      const attributes = each(249, (index) => attribute(7, `attribute_${index}`, `v${index}`));
      return ofHost(
        ...Array.from({ length: 2_000 }, (_, index) =>
          gauge(nested(1, attribute(7, 'index', `${index}`), attributes, TIME, double(4, 1))),
        ),
      );
    },
    status: 413,
  },
  {
    ...OTLP,
    name: 'a point with 900,000 attributes',
    body: () => ofHost(gauge(nested(1, repeated(attribute(7, 'a', 'b'), 9_000_000), double(4, 1)))),
    status: 200,
  },
  {
    ...OTLP,
    name: 'a resource with 900,000 attributes',
    body: () => nested(1, nested(1, repeated(attribute(1, 'a', 'b'), 9_000_000)), nested(2, METRIC)),
    status: 200,
  },
  {
    ...OTLP,
    name: 'a histogram with a million bounds',
    body: () => {
      const point = nested(1, nested(6, Buffer.alloc(8 * MIB)), nested(7, Buffer.alloc(7 * MIB)), TIME);
      return ofHost(nested(2, nested(1, 'm'), nested(9, number(2, 2), point)));
    },
    status: 200,
  },
  { ...JSON_OTLP, name: 'a million brackets', body: () => repeated('[', MIB), status: 400 },
  {
    ...JSON_OTLP,
    name: '120,000 empty resources',
    body: () => between('{"resourceMetrics":[', repeated('{},', 120_000 * 3), '{}]}'),
    status: 200,
  },
  {
    ...JSON_OTLP,
    name: 'texts of 15 MiB',
    body: () => between('{"resourceMetrics":[', repeated(`{"x":"${'x'.repeat(MIB - 20)}"},`), '{}]}'),
    status: 413,
  },
  {
    ...JSON_OTLP,
    name: 'texts of 7 MiB beyond Latin',
    body: () =>
      between(
        '{"resourceMetrics":[',
        repeated(Buffer.from(`{"x":"${'x'.repeat(MIB - 20)}ж"},`), 7.5 * MIB),
        '{}]}',
      ),
    status: 200,
  },
  {
    ...JSON_OTLP,
    name: '100,000 different members',
    body: () => Buffer.from(`{${Array.from({ length: 100_000 }, (_, at) => `"m${at}":{}`).join(',')}}`),
    status: 200,
  },
];
