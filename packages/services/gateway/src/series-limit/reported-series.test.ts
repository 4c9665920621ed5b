import { shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import { ReportedSeries } from './reported-series.ts';

const payload = (host: string, ...metrics: string[]): Payload => ({
  host,
  time: 0,
  metrics,
  values: metrics.map(() => 1),
});
const withDisks = (host: string, ...disks: string[]): Payload => {
  const shape = shapeOf({
    kinds: disks.map(() => 'disk'),
    names: disks,
    labels: disks.map(() => null),
    ends: disks.map((_, index) => index + 1),
    metrics: disks.map(() => 'busy'),
  });
  return { ...payload(host, 'load'), parts: { shape, values: disks.map(() => 1) } };
};

function open() {
  const time = { ms: 0 };
  const reported = new ReportedSeries(() => time.ms);
  const report = (payloads: Payload[], organization = 'org_1') => {
    const { samples, changed } = reported.compare(organization, payloads);
    reported.remember(organization, changed);
    return { samples, changed: changed.map(({ host }) => host) };
  };
  return { time, report };
}

describe('the series that hosts reported last', () => {
  it('repeat where a host reports the same metrics again, in its organization alone', () => {
    const { report } = open();
    expect(report([payload('a', 'x', 'y'), payload('b', 'x')])).toEqual({ samples: 0, changed: ['a', 'b'] });
    expect(report([payload('a', 'x', 'y'), payload('b', 'x')])).toEqual({ samples: 3, changed: [] });
    expect(report([payload('a', 'x', 'y')], 'org_2')).toEqual({ samples: 0, changed: ['a'] });
  });

  it.each([
    ['another metric', ['x', 'z']],
    ['one more', ['x', 'y', 'z']],
    ['one less', ['x']],
    ['another order', ['y', 'x']],
  ])('have changed with %s', (_, metrics) => {
    const { report } = open();
    report([payload('a', 'x', 'y')]);
    expect(report([payload('a', ...metrics)])).toEqual({ samples: 0, changed: ['a'] });
    expect(report([payload('a', ...metrics)])).toEqual({ samples: metrics.length, changed: [] });
  });

  it('repeat with those of parts, and without them where these have changed', () => {
    const { report } = open();
    report([withDisks('a', 'sda', 'sdb')]);
    expect(report([withDisks('a', 'sda', 'sdb')])).toEqual({ samples: 3, changed: [] });
    expect(report([withDisks('a', 'sda', 'sdc')])).toEqual({ samples: 1, changed: ['a'] });
    expect(report([payload('a', 'load')])).toEqual({ samples: 1, changed: ['a'] });
  });

  it('count for five to ten minutes, and end one host after the other', () => {
    const { time, report } = open();
    const hosts = Array.from({ length: 64 }, (_, index) => payload(`h${index}`, 'x'));
    report(hosts);
    time.ms = 5 * MINUTE_MS - 1;
    expect(report(hosts).samples).toBe(64);
    time.ms = 6 * MINUTE_MS;
    const after = report(hosts).samples;
    expect(after).toBeGreaterThan(32);
    expect(after).toBeLessThan(64);
    time.ms = 10 * MINUTE_MS;
    expect(report(hosts).samples).toBe(64 - after);
  });

  it('are forgotten beyond a limit of their number', () => {
    const { report } = open();
    const many = Array.from({ length: 1_000 }, (_, index) => `m${index}`);
    for (let host = 0; host < 2_001; host += 1) report([payload(`h${host}`, ...many)]);
    expect(report([payload('h0', ...many)])).toEqual({ samples: 0, changed: ['h0'] });
    expect(report([payload('h2000', ...many)])).toEqual({ samples: 1_000, changed: [] });
  });
});
