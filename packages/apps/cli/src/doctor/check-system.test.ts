import type { Schema } from '@tidewatch/api-client/schema';
import { describe, expect, it } from 'vitest';
import { checkSystem } from './check-system.ts';

const GIB = 2 ** 30;

const system = (given: Partial<Schema<'System'>> = {}): Schema<'System'> => ({
  as_of: '2026-11-21T14:36:28.000Z',
  status: 'ready',
  reasons: [],
  topology: 'distributed',
  storage_backend: 'plain',
  version: '0.1.0',
  processes: [],
  evaluation_lag_seconds: 0.4,
  dead_letters: { count: 0, since: null },
  notifications: { queued: 0, oldest_seconds: 0 },
  event_streams: 0,
  jobs: { failing: [], failures: 0, since: null },
  storage: {
    database_bytes: 2 * GIB,
    disk: { free_bytes: 50 * GIB, total_bytes: 100 * GIB },
    growth_bytes_per_day: GIB,
    days_left: 50,
    history: [],
  },
  ...given,
});

const statuses = (given: Partial<Schema<'System'>>) =>
  checkSystem(system(given)).map(({ check, status }) => `${check}: ${status}`);

describe('the checks of an installation', () => {
  it('are ok while every process works, no record was given up and the disk has space', () => {
    expect(statuses({})).toEqual(['processes: ok', 'dead letters: ok', 'jobs: ok', 'storage: ok']);
  });

  it('fail with each reason while the installation is unavailable', () => {
    const reasons = ['no evaluator reports', 'no gateway reports'];
    const found = checkSystem(system({ status: 'unavailable', reasons })).slice(0, 2);
    expect(found.map(({ status, summary }) => [status, summary])).toEqual([
      ['failed', 'no evaluator reports (0 processes report)'],
      ['failed', 'no gateway reports (0 processes report)'],
    ]);
  });

  it('warn of dead letters and of failing jobs', () => {
    const found = statuses({
      dead_letters: { count: 3, since: null },
      jobs: { failing: ['drain'], failures: 9, since: null },
    });
    expect(found).toEqual(['processes: ok', 'dead letters: warning', 'jobs: warning', 'storage: ok']);
  });

  it.each([
    { days_left: 6, status: 'warning' },
    { days_left: 0.5, status: 'failed' },
  ])('call $days_left days until the disk is full a $status', ({ days_left, status }) => {
    const { storage } = system();
    expect(statuses({ storage: { ...storage, days_left } }).at(-1)).toBe(`storage: ${status}`);
  });

  it('are ok where nobody here can see the disk', () => {
    const { storage } = system();
    const [last] = checkSystem(system({ storage: { ...storage, disk: null, days_left: null } })).slice(-1);
    expect(last?.status).toBe('ok');
    expect(last?.summary).toContain('the disk of PostgreSQL is not seen from here');
  });
});
