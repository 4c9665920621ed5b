import { describe, expect, it } from 'vitest';
import { changesSince, type Fleet, type FleetRead, nextFleet } from './fleet-changes.ts';

type Host = { id: string; cpu?: number | null; region?: string | null };

/** A read of these hosts between `at` and `at + 5`; tags are read where `region` is among `tags`. */
function read(at: number, hosts: readonly Host[], tags: readonly string[] = []): FleetRead {
  const all = <T>(value: (host: Host) => T) => hosts.map(value);
  const numbers = (value: (host: Host) => number) => Float64Array.from(hosts, value);
  return {
    columns: {
      id: all(({ id }) => id),
      name: all(({ id }) => id),
      status: all(() => 'healthy'),
      status_since: numbers(() => 0),
      last_seen: numbers(() => 0),
      cpu_percent: numbers(({ cpu }) => cpu ?? Number.NaN),
      memory_percent: numbers(() => Number.NaN),
      disk_percent: numbers(() => Number.NaN),
      critical: numbers(() => 0),
      warning: numbers(() => 0),
      info: numbers(() => 0),
    },
    tags: new Map(tags.map((tag) => [tag, all(({ region }) => region ?? null)])),
    from: at,
    upTo: at + 5,
  };
}

const idsOf = (fleet: Fleet, rows: readonly number[]) => rows.map((row) => fleet.columns.id[row]);

function changed(fleet: Fleet, token: Pick<Fleet, 'source' | 'from' | 'upTo'> | null, tags: string[] = []) {
  const { full, rows, removed } = changesSince(fleet, tags, token);
  return { full, ids: idsOf(fleet, rows), removed };
}

const A = { id: 'a', cpu: 1 };
const B = { id: 'b', cpu: 2 };
const C = { id: 'c', cpu: 3 };

describe('changes of a fleet', () => {
  const first = nextFleet(null, read(100, [A, B, C]), 'one');
  const second = nextFleet(first, read(200, [A, { ...B, cpu: 5 }, C]), 'two');
  const third = nextFleet(second, read(300, [A, { ...B, cpu: 5 }, { ...C, cpu: null }]), 'three');

  it('are all hosts without a token', () => {
    expect(changed(third, null)).toEqual({ full: true, ids: ['a', 'b', 'c'], removed: [] });
  });

  it('are the hosts that differ from the read of the token, and no others', () => {
    expect(changed(second, first)).toEqual({ full: false, ids: ['b'], removed: [] });
    expect(changed(third, second)).toEqual({ full: false, ids: ['c'], removed: [] });
    expect(changed(third, first)).toEqual({ full: false, ids: ['b', 'c'], removed: [] });
    expect(changed(third, third)).toEqual({ full: false, ids: [], removed: [] });
  });

  it('name hosts that came and hosts that left', () => {
    const later = nextFleet(third, read(400, [B, C, { id: 'd' }]), 'x');
    expect(changed(later, third)).toEqual({ full: false, ids: ['b', 'c', 'd'], removed: ['a'] });
  });

  it('do not name a host as removed that has come back', () => {
    const gone = nextFleet(third, read(400, [B]), 'x');
    const back = nextFleet(gone, read(500, [A, B]), 'x');
    expect(changed(back, third)).toEqual({ full: false, ids: ['a', 'b'], removed: ['c'] });
    expect(changed(back, gone).removed).toEqual([]);
  });

  it('are all hosts for a token from before the first read, or from the future', () => {
    expect(changed(third, { source: 'other', from: 90, upTo: 95 }).full).toBe(true);
    expect(changed(third, { source: 'other', from: 400, upTo: 405 }).full).toBe(true);
  });

  it('are all hosts after the clock of the database was set back', () => {
    const back = nextFleet(third, read(150, [A, B, C]), 'after');
    expect(back.source).toBe('after');
    expect(changed(back, third).full).toBe(true);
  });

  it('include every change of reads that end after a token of another process began', () => {
    expect(changed(third, { source: 'other', from: 204, upTo: 206 })).toMatchObject({ ids: ['b', 'c'] });
    expect(changed(third, { source: 'other', from: 205, upTo: 206 })).toMatchObject({ ids: ['c'] });
  });

  it('know a tag from the read on that had it first', () => {
    const tagged = nextFleet(third, read(400, [{ ...A, region: 'eu' }, B, C], ['region']), 'x');
    expect(changed(tagged, third, ['region']).full).toBe(true);
    const moved = nextFleet(tagged, read(500, [{ ...A, region: 'us' }, B, C], ['region']), 'x');
    expect(changed(moved, tagged, ['region'])).toEqual({ full: false, ids: ['a'], removed: [] });
    const without = nextFleet(moved, read(600, [A, B, C]), 'x');
    const again = nextFleet(without, read(700, [A, B, C], ['region']), 'x');
    expect(changed(again, moved, ['region']).full).toBe(true);
  });

  it('are all hosts where more have left than are remembered', () => {
    const many = Array.from({ length: 5_001 }, (_, index) => ({ id: `h${index}` }));
    const full = nextFleet(null, read(100, many), 'one');
    const less = nextFleet(full, read(200, many.slice(1)), 'one');
    const none = nextFleet(less, read(300, []), 'one');
    expect(changed(none, full).full).toBe(true);
    expect(changed(none, less).removed).toHaveLength(5_000);
  });
});
