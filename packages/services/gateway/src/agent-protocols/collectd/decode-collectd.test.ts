import { beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf, RecordingSink } from '../../testing/recording-sink.harness.ts';
import { decodeCollectd } from './decode-collectd.ts';

const ENTRY = {
  values: [7],
  dstypes: ['gauge'],
  dsnames: ['value'],
  time: 1_795_871_997.676,
  interval: 10,
  host: 'web-01',
  plugin: 'memory',
  plugin_instance: '',
  type: 'memory',
  type_instance: 'used',
};

let sink: RecordingSink;
beforeEach(() => {
  sink = new RecordingSink();
});

const take = (...entries: unknown[]) => sink.take(decodeCollectd, Buffer.from(JSON.stringify(entries)));

describe("a body of collectd's plugin write_http", () => {
  it('gives each value as a point, with what names it as labels', () => {
    take(ENTRY, {
      ...ENTRY,
      values: [1, 2],
      dstypes: ['derive', 'absolute'],
      dsnames: ['rx', 'tx'],
      plugin: 'interface',
      plugin_instance: 'eth0',
      type: 'if_octets',
      type_instance: '',
    });
    const common = { protocol: 'collectd', resource: [], unit: '' };
    const time = 1_795_871_997_676;
    const ofInterface = { ...common, labels: ['host', 'web-01', 'plugin_instance', 'eth0'] };
    expect(sink.points).toEqual([
      {
        series: {
          ...common,
          name: 'collectd.memory.memory',
          labels: ['host', 'web-01', 'type_instance', 'used'],
          type: 'gauge',
        },
        time,
        value: 7,
        start: 0,
      },
      {
        series: { ...ofInterface, name: 'collectd.interface.if_octets.rx', type: 'counter' },
        time,
        value: 1,
        start: 0,
      },
      {
        series: { ...ofInterface, name: 'collectd.interface.if_octets.tx', type: 'delta' },
        time,
        value: 2,
        start: time - 10_000,
      },
    ]);
  });

  it('describes a series once', () => {
    take(ENTRY);
    take(ENTRY, { ...ENTRY, type_instance: 'free' });
    expect(sink.described).toBe(2);
  });

  it('leaves out values that are null', () => {
    take({ ...ENTRY, values: [null] });
    expect(sink.counts).toMatchObject({ points: 0, rejected: {}, omitted: { not_a_number: 1 } });
  });

  it.each<[string, unknown, string, number]>([
    ['null', null, 'must be an object', 1],
    ['a number', 5, 'must be an object', 1],
    ['an empty list', [], 'values must be a list', 1],
    ['values that are no list', { ...ENTRY, values: 5 }, 'values must be a list', 1],
    [
      'fewer names than values',
      { ...ENTRY, values: [1, 2], dstypes: ['gauge', 'gauge'] },
      'dsnames must be a list of as many texts as there are values',
      2,
    ],
    [
      'types that are numbers',
      { ...ENTRY, dstypes: [1] },
      'dstypes must be a list of as many texts as there are values',
      1,
    ],
    ['no host', { ...ENTRY, host: '' }, 'host must be a text that is not empty', 1],
    ['no plugin', { ...ENTRY, plugin: undefined }, 'plugin must be a text that is not empty', 1],
    ['an instance that is a number', { ...ENTRY, plugin_instance: 5 }, 'plugin_instance must be a text', 1],
    ['no time', { ...ENTRY, time: undefined }, 'time must be a number of seconds', 1],
    ['a negative interval', { ...ENTRY, interval: -1 }, 'interval must be a number of seconds', 1],
    ['a value that is a text', { ...ENTRY, values: ['7'] }, 'values must be numbers or null', 1],
  ])('refuses an entry with %s alone', (_, entry, message, points) => {
    take(ENTRY, entry, ENTRY);
    expect(sink.points).toHaveLength(2);
    expect(sink.rejected).toEqual({ invalid_value: points });
    expect(sink.examples).toEqual([`entry 2: ${message}`]);
  });

  it('refuses unknown types and texts that are no Unicode', () => {
    take({ ...ENTRY, dstypes: ['constructor'] }, { ...ENTRY, type_instance: '\ud800' });
    expect(sink.rejected).toEqual({ unsupported_type: 1, invalid_labels: 1 });
  });

  it('lets others go first after at most a thousand values', () => {
    take(...Array.from({ length: 5_000 }, () => ENTRY), ...Array.from({ length: 5_000 }, () => null));
    expect(sink.counts).toMatchObject({ points: 5_000, rejected: { invalid_value: 5_000 } });
    expect(sink.turns).toBeGreaterThanOrEqual(9);
  });

  it.each<[string, string | Buffer]>([
    ['no JSON', '{'],
    ['nothing', ''],
    ['an object', '{}'],
    ['null', 'null'],
    ['invalid UTF-8', Buffer.from('["\xff"]', 'latin1')],
    ['100,000 lists', '['.repeat(100_000)],
    ['lists in 65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
  ])('is malformed with %s', (_, body) => {
    expect(outcomeOf(decodeCollectd, Buffer.from(body as string))).toBe('MalformedBodyError');
  });
});
