import { worstStatus } from '@tidewatch/domain/health/status';
import { describe, expect, it } from 'vitest';
import { applyPart } from './apply-part.ts';
import { hostsAsCsv, hostsAsNdjson } from './export-hosts.ts';
import { type FleetFilter, legendCounts, matchingRows, stepPlace, writeTag } from './filter.ts';
import { FLEET_STATUSES, type FleetPart, statusOf, tagOf } from './fleet.ts';
import { fleetOf } from './fleet-columns.fixture.ts';
import { groupRows } from './group.ts';
import { announcementOf, reasonOf } from './host-text.ts';
import { parseServiceLines, parseSnapshot } from './parse-snapshot.ts';
import { sortRows } from './sort.ts';

const HOSTS = fleetOf([
  { name: 'cache-1', cpu: 5, tags: { role: 'cache' } },
  { name: 'db-1', status: 'critical', critical: 1, cpu: 97, tags: { role: 'db', region: 'eu' } },
  { name: 'db-2', status: 'degraded', warning: 2, cpu: 40, tags: { role: 'db' } },
  { name: 'edge-1', status: 'offline', cpu: null, lastSeen: 1_000 },
  { name: 'Web-1', status: 'maintenance', cpu: 100, tags: { role: 'web', region: 'eu' } },
]);
const ALL = [0, 1, 2, 3, 4];
const EVERYTHING: FleetFilter = { q: '', statuses: [], tags: [], fill: 'status', steps: [] };

it('knows the states in the order in which the API calls one worse than another', () => {
  const known = FLEET_STATUSES.filter((status) => status !== 'unknown');
  for (const [place, status] of known.entries())
    for (const other of known.slice(place)) expect(worstStatus(other, status)).toBe(status);
});

describe('the filter', () => {
  it.each<[string, Partial<FleetFilter>, number[]]>([
    ['nothing', {}, ALL],
    ['a part of the name, whatever its case', { q: 'WEB' }, [4]],
    ['a part in the middle of the name', { q: '-1' }, [0, 1, 3, 4]],
    ['several states', { statuses: ['critical', 'offline'] }, [1, 3]],
    ['a tag', { tags: [{ name: 'role', value: 'db' }] }, [1, 2]],
    ['tags that must all match', { tags: [tag('role', 'db'), tag('region', 'eu')] }, [1]],
    ['a tag that no host has', { tags: [tag('rack', '7')] }, []],
    ['steps of the fill', { fill: 'cpu_percent', steps: ['80', 'none'] }, [1, 3, 4]],
    ['steps of another fill, which do not count', { fill: 'status', steps: ['80'] }, ALL],
  ])('matches %s', (_, filter, rows) => {
    expect(matchingRows(HOSTS, { ...EVERYTHING, ...filter })).toEqual(rows);
  });

  it('counts each state and each step', () => {
    expect(Object.fromEntries(legendCounts(HOSTS, ALL, 'cpu_percent'))).toEqual({
      '0': 1,
      '40': 1,
      '80': 2,
      none: 1,
    });
    expect(legendCounts(HOSTS, ALL, 'status').get('offline')).toBe(1);
  });

  it.each([
    [Number.NaN, -1],
    [-3, 0],
    [0, 0],
    [19.99, 0],
    [20, 1],
    [99.9, 4],
    [100, 4],
    [240, 4],
  ])('has the value %s in step %i', (value, step) => {
    expect(stepPlace(value)).toBe(step);
  });

  it('writes the name of a tag so that its colons are not those before the value', () => {
    expect(writeTag('a:b', 'c:d')).toBe('a\\:b:c:d');
  });
});

describe('the order', () => {
  it.each<[string, number[]]>([
    ['name', ALL],
    ['-name', [4, 3, 2, 1, 0]],
    ['status', [1, 3, 2, 4, 0]],
    ['cpu_percent', [0, 2, 1, 4, 3]],
    ['-cpu_percent', [4, 1, 2, 0, 3]],
    ['-alerts', [1, 2, 0, 3, 4]],
    ['tag.role', [0, 1, 2, 4, 3]],
    ['-tag.role', [4, 1, 2, 0, 3]],
  ])('by %s has hosts without a value last, and equal ones by name', (sort, rows) => {
    expect(sortRows(HOSTS, ALL, sort)).toEqual(rows);
  });
});

describe('groups', () => {
  it('stand worst first, then by value, and hosts without the tag last among equals', () => {
    const groups = groupRows(HOSTS, ALL, 'role');
    expect(groups.map(({ value, rows }) => [value, rows])).toEqual([
      ['db', [1, 2]],
      [null, [3]],
      ['web', [4]],
      ['cache', [0]],
    ]);
  });

  it('keep their places when the state of a host changes', () => {
    const former = ['cache', 'web', 'db'];
    expect(groupRows(HOSTS, ALL, 'role', former).map(({ value }) => value)).toEqual([...former, null]);
  });

  it('are one without a tag, and none without hosts', () => {
    expect(groupRows(HOSTS, ALL, undefined)).toHaveLength(1);
    expect(groupRows(HOSTS, [], undefined)).toEqual([]);
  });
});

describe('a response', () => {
  const part = (isFull: boolean, hosts = HOSTS, removed: string[] = []): FleetPart => ({
    asOf: 5,
    token: 'next',
    isFull,
    hosts,
    removed,
  });
  const before = applyPart(undefined, part(true));

  it('with all hosts replaces the fleet', () => {
    const one = fleetOf([{ name: 'a' }]);
    expect(applyPart(before, part(true, one)).hosts).toBe(one);
  });

  it('without changes keeps the columns', () => {
    expect(applyPart(before, part(false, fleetOf([]))).hosts).toBe(before.hosts);
  });

  it('with a changed host replaces its values and tags and leaves the fleet before as it was', () => {
    const changed = fleetOf([{ name: 'db-1', cpu: 3, tags: { role: 'spare' } }]);
    const { hosts } = applyPart(before, part(false, changed));
    expect([statusOf(hosts, 1), hosts.metrics.cpu_percent[1], tagOf(hosts, 'role', 1)]).toEqual([
      'healthy',
      3,
      'spare',
    ]);
    expect([tagOf(hosts, 'region', 1), tagOf(hosts, 'role', 2)]).toEqual([null, 'db']);
    expect([statusOf(before.hosts, 1), tagOf(before.hosts, 'role', 1)]).toEqual(['critical', 'db']);
  });

  it('adds new hosts in order of name and removes those that left', () => {
    const added = fleetOf([{ name: 'app-1', tags: { role: 'app' } }]);
    const { hosts } = applyPart(before, part(false, added, ['svc_db-1']));
    expect(hosts.names).toEqual(['Web-1', 'app-1', 'cache-1', 'db-2', 'edge-1']);
    expect(hosts.names.map((_, row) => tagOf(hosts, 'role', row))).toEqual([
      'web',
      'app',
      'cache',
      'db',
      null,
    ]);
  });

  it('is read into columns, with NaN for what was never reported', () => {
    const { hosts, isFull } = parseSnapshot(
      JSON.stringify({
        as_of: '2026-11-26T03:00:00Z',
        token: 't',
        full: true,
        columns: {
          id: ['svc_1'],
          name: ['a'],
          status: ['not known yet'],
          status_since: ['2026-11-26T02:00:00Z'],
          last_seen: ['2026-11-26T03:00:00Z'],
          cpu_percent: [null],
          memory_percent: [12.345],
          disk_percent: [0],
          critical: [0],
          warning: [1],
          info: [0],
        },
        tags: { role: { values: ['db'], index: [null] } },
        removed: [],
      }),
    );
    expect([isFull, statusOf(hosts, 0), tagOf(hosts, 'role', 0)]).toEqual([true, 'unknown', null]);
    expect([hosts.metrics.cpu_percent[0], hosts.metrics.memory_percent[0]]).toEqual([Number.NaN, 12.345]);
  });

  it('of an earlier time is read from lines of services', () => {
    const service = {
      id: 'svc_1',
      name: 'a',
      status: 'degraded',
      status_since: '2026-11-26T02:00:00Z',
      last_seen: '2026-11-26T03:00:00Z',
      tags: { role: 'db' },
      active_alerts: { critical: 0, warning: 1, info: 0 },
      metrics: { cpu_percent: 1, memory_percent: null, disk_percent: null },
    };
    const { hosts, token } = parseServiceLines(`${JSON.stringify(service)}\n`, 7, ['role']);
    expect([token, hosts.names, tagOf(hosts, 'role', 0), hosts.warning[0]]).toEqual([null, ['a'], 'db', 1]);
  });
});

describe('the text of a host', () => {
  it.each([
    [1, '1 critical alert'],
    [2, '2 warning alerts'],
    [3, 'silent for 14 min'],
    [0, ''],
  ])('of row %i gives the reason "%s"', (row, reason) => {
    expect(reasonOf(HOSTS, row, 1_000 + 14 * 60_000)).toBe(reason);
  });

  it('announces name, status, values and position', () => {
    expect(announcementOf(HOSTS, 1, 0, { place: 2, of: 10_000, isSelected: true })).toBe(
      'db-1, critical: 1 critical alert, CPU 97 %, memory 50 %, disk 50 %, selected, 2 of 10,000',
    );
  });
});

describe('an export', () => {
  const hosts = fleetOf([{ name: '=1+1', id: 'svc_1', cpu: null, tags: { role: 'a"b,c' } }]);

  it('as CSV quotes cells, and makes no formula of a name', () => {
    const [head, line] = hostsAsCsv(hosts, [0]).split('\r\n');
    expect(head).toBe(
      'id,name,status,status_since,last_seen,metrics.cpu_percent,metrics.memory_percent,metrics.disk_percent,active_alerts.critical,active_alerts.warning,active_alerts.info,tags.role',
    );
    expect(line).toBe(
      `svc_1,'=1+1,healthy,1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z,,50,50,0,0,0,"a""b,c"`,
    );
  });

  it('as lines of JSON has each host as it is', () => {
    expect(JSON.parse(hostsAsNdjson(hosts, [0]))).toMatchObject({ name: '=1+1', 'tags.role': 'a"b,c' });
  });
});

function tag(name: string, value: string) {
  return { name, value };
}
