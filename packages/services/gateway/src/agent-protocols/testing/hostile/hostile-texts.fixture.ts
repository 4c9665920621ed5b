import { between, each, type HostileBody, MIB, repeated, SECONDS } from './hostile-body.fixture.ts';

const LINES = { path: '/api/v2/write?bucket=b', type: 'text/plain' };
const COLLECTD = { path: '/collectd', type: 'application/json' };

export const HOSTILE_TEXTS: readonly HostileBody[] = [
  {
    ...LINES,
    name: 'a million fields in a line',
    body: () => between('m,host=a ', repeated('a=1,'), 'b=1'),
    status: 400,
  },
  { ...LINES, name: 'lines without fields', body: () => repeated('m\n'), status: 400 },
  {
    ...LINES,
    name: 'a text that never ends',
    body: () => between('m,host=a a="', repeated('x'), ''),
    status: 400,
  },
  {
    ...LINES,
    name: '190,000 lines of one series',
    body: () => repeated('m,host=a v=1\n', 190_000 * 13),
    status: 204,
  },
  {
    ...LINES,
    name: '60,000 new series',
    body: () => each(60_000, (index) => `m_${index},host=many v=1\n`),
    status: 400,
  },
  {
    ...LINES,
    name: 'hundreds of thousands of tags of a line',
    body: () =>
      between(
        'm,host=a',
        each(900_000, (index) => `,tag${index}=v`),
        ' v=1',
      ),
    status: 400,
  },
  { ...COLLECTD, name: 'a hundred thousand brackets', body: () => repeated('[', 100_000), status: 400 },
  {
    ...COLLECTD,
    name: 'millions of empty lists',
    body: () => between('[', repeated('{},', 4 * MIB), '{}]'),
    status: 400,
  },
  {
    ...COLLECTD,
    name: 'a list with 240,000 values',
    body: () =>
      between(
        `[{"host":"a","plugin":"p","type":"t","time":${SECONDS},"values":[`,
        repeated('1,', 480_000),
        '1],"dsnames":["v"],"dstypes":["gauge"]}]',
      ),
    status: 400,
  },
];
