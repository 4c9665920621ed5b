import { describe, expect, it } from 'vitest';
import { cpu, openTranslator, type Point, WEB } from '../../testing/translator.harness.ts';

const scrape = (value: number): Point[] => [
  ['node_intr_total', WEB, value],
  ['node_disk_read_bytes_total', { ...WEB, device: 'sda' }, value],
  ['node_cpu_seconds_total', cpu(0, 'idle'), value * 0.75],
  ['node_cpu_seconds_total', cpu(1, 'idle'), value * 0.75],
  ['node_cpu_seconds_total', cpu(0, 'user'), value * 0.25],
  ['node_cpu_seconds_total', cpu(1, 'user'), value * 0.25],
];

const COMPUTED = {
  cpu_percent: 25,
  disk_read_bytes_per_second: 2,
  'disk:sda read_bytes_per_second': 2,
};
const RATES = {
  node_intr_per_second: 2,
  'disk:sda node_disk_read_bytes_per_second': 2,
  node_cpu_seconds_idle_per_second: 3,
  node_cpu_seconds_user_per_second: 1,
};
const RAW = {
  node_intr_total: 30,
  'disk:sda node_disk_read_bytes_total': 30,
  node_cpu_seconds_idle_total: 45,
  node_cpu_seconds_user_total: 15,
};

describe('counters of other agents', () => {
  it.each([
    ['rates', { ...COMPUTED, ...RATES }, {}],
    ['raw', { ...COMPUTED, ...RAW }, { node_intr_total: 10 }],
    ['both', { ...COMPUTED, ...RATES, ...RAW }, { node_intr_total: 10 }],
  ] as const)(
    'are stored in the form %s, with what is computed from their rates',
    (form, expected, first) => {
      const { values } = openTranslator({}, {}, true, form);
      const began = values(scrape(10), 0);
      expect(began).toMatchObject(first);
      if (form === 'rates') expect(began).toEqual({});
      expect(values(scrape(30), 10)).toEqual(expected);
      expect(values(scrape(30), 10)).toEqual(expected);
    },
  );

  it('that are left out for having no rate yet are only those that are not stored as sent', () => {
    const omitted = (['rates', 'raw', 'both'] as const).map((form) =>
      openTranslator({}, {}, true, form).translate(scrape(10)).batch.omissions.get('first_of_counter'),
    );
    expect(omitted).toEqual([6, undefined, undefined]);
  });

  it.each(['rates', 'raw', 'both'] as const)(
    'are forgotten in the form %s with all that their host has of them, so that it begins again',
    (form) => {
      const { values, table } = openTranslator({}, {}, true, form);
      const first = values(scrape(10), 0);
      values(scrape(30), 10);
      table.turn();
      table.turn();
      expect(values(scrape(10), 20)).toEqual(first);
    },
  );

  it('of which only what was added is sent are stored as sent, and as a rate where its time is known', () => {
    const { values } = openTranslator({}, { type: 'delta' }, true, 'raw');
    expect(
      values([
        ['node_intr_total', WEB, 30],
        ['node_intr_total', WEB, 12, 0.5],
      ]),
    ).toEqual({ node_intr_total: 42 });
  });
});
