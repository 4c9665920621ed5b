import { double, nested, number } from '../../../testing/protobuf-bytes.fixture.ts';
import { between, each, type HostileBody, MIB, repeated, SECONDS, twoTexts } from './hostile-body.fixture.ts';

const PROTOBUF = { path: '/datadog/api/v2/series', type: 'application/x-protobuf' };
const JSON_1 = { path: '/datadog/api/v1/series', type: 'application/json' };
const JSON_2 = { path: '/datadog/api/v2/series', type: 'application/json' };
const INTAKE = { path: '/datadog/intake/', type: 'application/json' };

const POINT = nested(4, double(1, 1), number(2, SECONDS));
const METRIC = nested(2, 'm');

export const HOSTILE_DATADOG: readonly HostileBody[] = [
  {
    ...PROTOBUF,
    name: 'millions of series without fields',
    body: () => repeated(nested(1), 4 * MIB),
    status: 400,
  },
  {
    ...PROTOBUF,
    name: 'a series with millions of tags',
    body: () => nested(1, METRIC, repeated(nested(3, 'a:b')), POINT),
    status: 400,
  },
  {
    ...PROTOBUF,
    name: 'a series with 900,000 different tags',
    body: () =>
      nested(
        1,
        METRIC,
        each(900_000, (index) => nested(3, `tag${index}:value`)),
        POINT,
      ),
    status: 400,
  },
  {
    ...PROTOBUF,
    name: 'a series with a million points',
    body: () => nested(1, twoTexts(1, 'host', 'a'), METRIC, repeated(POINT, 15 * MIB)),
    status: 400,
  },
  {
    ...PROTOBUF,
    name: '60,000 new series',
    body: () =>
      each(60_000, (index) => nested(1, twoTexts(1, 'host', 'many'), nested(2, `m_${index}`), POINT)),
    status: 400,
  },
  {
    ...PROTOBUF,
    name: 'new series with 250 tags each',
    body: () => {
      const tags = each(250, (index) => nested(3, `tag_${index}:value_${index}`));
      return each(3_000, (index) => nested(1, nested(2, `m_${index}`), tags, POINT));
    },
    status: 400,
  },
  {
    ...JSON_1,
    name: '80,000 points of one series',
    body: () =>
      between(
        '{"series":[{"metric":"m","host":"a","points":[',
        each(80_000, () => `[${SECONDS},1],`),
        `[${SECONDS},1]]}]}`,
      ),
    status: 202,
  },
  {
    ...JSON_2,
    name: '240,000 tags of one series',
    body: () =>
      between(
        '{"series":[{"metric":"m","tags":[',
        each(240_000, (index) => `"tag${index}:v",`),
        `"a"],"points":[{"timestamp":${SECONDS},"value":1}]}]}`,
      ),
    status: 400,
  },
  {
    ...JSON_2,
    name: '40,000 new series',
    body: () =>
      between(
        '{"series":[',
        each(40_000, (index) => `{"metric":"m_${index}","points":[]},`),
        '{}]}',
      ),
    status: 400,
  },
  {
    ...INTAKE,
    name: '240,000 tags of a host',
    body: () =>
      between(
        '{"internalHostname":"a","host-tags":{"system":[',
        each(240_000, (index) => `"tag${index}:v",`),
        '"a"]}}',
      ),
    status: 202,
  },
];
