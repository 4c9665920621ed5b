import { SERVICE_NAMES } from '@tidewatch/contracts/system/service-names';
import { describe, expect, it } from 'vitest';
import type { System } from './system-reads.ts';
import { backendWords, figureTexts, lagText, overallState, processWords } from './system-words.ts';

const GIB = 2 ** 30;

const process = (given: Partial<System['processes'][number]> = {}): System['processes'][number] => ({
  id: 'vm/1',
  roles: [...SERVICE_NAMES],
  version: '0.1.0',
  status: 'ready',
  reasons: [],
  started_at: '2026-11-21T14:36:28.000Z',
  reported_at: '2026-11-21T14:36:28.000Z',
  lag_seconds: 0.4,
  ...given,
});

const system = (given: Partial<System> = {}): System => ({
  as_of: '2026-11-21T14:36:28.000Z',
  status: 'ready',
  reasons: [],
  topology: 'embedded',
  storage_backend: 'plain',
  version: '0.1.0',
  processes: [process()],
  evaluation_lag_seconds: 0.4,
  dead_letters: { count: 0, since: null },
  notifications: { queued: 0, oldest_seconds: 0 },
  event_streams: 48,
  jobs: { failing: [], failures: 0, since: null },
  storage: {
    database_bytes: 2 * GIB,
    disk: { free_bytes: 288 * GIB, total_bytes: 500 * GIB },
    growth_bytes_per_day: 20 * GIB,
    days_left: 14.4,
    history: [],
  },
  ...given,
});

describe('the words of the system', () => {
  it('count the processes of each role, and name a role that none has', () => {
    expect(processWords([process()])).toBe('1 process with all services');
    expect(
      processWords([
        process({ roles: ['gateway'] }),
        process({ roles: ['gateway'] }),
        process({ roles: ['query-api'] }),
        process({ roles: ['writer'], status: 'missing' }),
      ]),
    ).toBe('2 gateways, no writer, no evaluator, no notifier, no investigator, 1 query API');
  });

  it('take the worst of what the process and all processes say, and each reason once', () => {
    const readiness = { status: 'degraded' as const, reasons: ['a', 'b'] };
    expect(overallState(readiness, undefined)).toEqual(readiness);
    expect(overallState(readiness, system({ status: 'unavailable', reasons: ['b', 'c'] }))).toEqual({
      status: 'unavailable',
      reasons: ['a', 'b', 'c'],
    });
  });

  it('give a reason of the process that answers once, with the process that reported it', () => {
    const redis = 'Redis is unavailable: each process counts requests by itself';
    const readiness = { status: 'degraded' as const, reasons: [`query-api: ${redis}`] };
    const reported = process({ id: 'vm/2', roles: ['query-api'], status: 'degraded', reasons: [redis] });
    expect(
      overallState(
        readiness,
        system({ status: 'degraded', reasons: [`query-api vm/2: ${redis}`], processes: [reported] }),
      ).reasons,
    ).toEqual([`query-api vm/2: ${redis}`]);
    const before = system({ processes: [{ ...reported, status: 'ready', reasons: [] }] });
    expect(overallState(readiness, before).reasons).toEqual(readiness.reasons);
  });

  it('say what is used of the disk and how long it lasts', () => {
    expect(figureTexts(system()).storage).toEqual({
      value: '212 GiB of 500 GiB, 14 d left',
      remark: 'Used on the disk; the database is 2 GiB and grows 20 GiB a day.',
    });
  });

  it('say that the disk of another machine is not seen', () => {
    const { storage } = system();
    const { remark, value } = figureTexts(
      system({ storage: { ...storage, disk: null, growth_bytes_per_day: null, days_left: null } }),
    ).storage;
    expect(value).toBe('2 GiB');
    expect(remark).toBe(
      'Database; growth is known after a day. The disk of PostgreSQL is not seen from here.',
    );
  });

  it('say how long the oldest notification waits, and nothing of an age where none does', () => {
    expect(figureTexts(system()).notifications.value).toBe('none');
    const { value, remark } = figureTexts(
      system({ notifications: { queued: 3, oldest_seconds: 125 } }),
    ).notifications;
    expect([value, remark]).toEqual(['2 min', '3 wait, of all organizations.']);
  });

  it('claim no lag that is finer than what is known', () => {
    expect(lagText(3.2, 5).value).toBe('below 5 s');
    expect(lagText(12, 5).value).toBe('12 s');
    expect(lagText(0.4).value).toBe('400 ms');
  });

  it('call a storage backend by the name of the glossary', () => {
    expect([backendWords('apache'), backendWords('plain'), backendWords('other')]).toEqual([
      'timescale-apache',
      'plain',
      'other',
    ]);
  });
});
