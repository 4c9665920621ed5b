import { SERVICE_NAMES, type ServiceName } from '@tidewatch/contracts/system/service-names';
import { describe, expect, it } from 'vitest';
import { MISSING_AFTER_MS, type ReportedProcess, systemStatus } from './system-status.ts';

const NOW = 1_000_000;

const process = (id: string, roles: readonly ServiceName[], given: Partial<ReportedProcess> = {}) => ({
  id,
  roles,
  status: 'ready' as const,
  reasons: [],
  startedAt: 0,
  reportedAt: NOW,
  ...given,
});

const all = (...without: ServiceName[]) =>
  SERVICE_NAMES.filter((role) => !without.includes(role)).map((role) => process(`${role}/1`, [role]));
const ended = NOW - MISSING_AFTER_MS;

const cases: { title: string; reported: ReportedProcess[]; status: string; reasons: string[] }[] = [
  { title: 'is ready while every role reports that it is', reported: all(), status: 'ready', reasons: [] },
  {
    title: 'is ready as one process of all roles',
    reported: [process('one/1', SERVICE_NAMES)],
    status: 'ready',
    reasons: [],
  },
  {
    title: 'is unavailable while no evaluator reports',
    reported: all('evaluator'),
    status: 'unavailable',
    reasons: ['no evaluator reports: samples wait to be evaluated, and no alert fires until one starts'],
  },
  {
    title: 'is degraded while no notifier reports, because samples are still stored and evaluated',
    reported: all('notifier'),
    status: 'degraded',
    reasons: ['no notifier reports: notifications wait to be delivered until one starts'],
  },
  {
    title: 'names the process whose end left it without a role once',
    reported: [...all('notifier'), process('notifier/1', ['notifier'], { reportedAt: ended })],
    status: 'degraded',
    reasons: [
      'no notifier reports since notifier/1 stopped: notifications wait to be delivered until one starts',
    ],
  },
  {
    title: 'is degraded while one of two writers is missing',
    reported: [...all(), process('writer/2', ['writer'], { reportedAt: ended })],
    status: 'degraded',
    reasons: ['writer writer/2 has stopped reporting'],
  },
  {
    title: 'misses a process that ended right after its first report, which does not replace itself',
    reported: [...all(), process('writer/2', ['writer'], { startedAt: ended, reportedAt: ended })],
    status: 'degraded',
    reasons: ['writer writer/2 has stopped reporting'],
  },
  {
    title: 'does not miss a process that another of its role has replaced',
    reported: [
      ...all('writer'),
      process('writer/1', ['writer'], { reportedAt: ended }),
      process('writer/2', ['writer'], { startedAt: ended + 1_000 }),
    ],
    status: 'ready',
    reasons: [],
  },
  {
    title: 'does not miss a process that was replaced by one that ended and was replaced, too',
    reported: [
      ...all('writer'),
      process('writer/1', ['writer'], { reportedAt: ended - 9_000 }),
      process('writer/2', ['writer'], { startedAt: ended - 8_000, reportedAt: ended - 1_000 }),
      process('writer/3', ['writer'], { startedAt: ended }),
    ],
    status: 'ready',
    reasons: [],
  },
  {
    title: 'misses only the last of processes that replaced each other',
    reported: [
      ...all('notifier'),
      process('notifier/1', ['notifier'], { reportedAt: ended - 9_000 }),
      process('notifier/2', ['notifier'], { startedAt: ended - 8_000, reportedAt: ended - 1_000 }),
    ],
    status: 'degraded',
    reasons: [
      'no notifier reports since notifier/2 stopped: notifications wait to be delivered until one starts',
    ],
  },
  {
    title: 'misses one of two ended processes that only one process has replaced',
    reported: [
      ...all('writer'),
      process('writer/1', ['writer'], { reportedAt: ended - 1 }),
      process('writer/2', ['writer'], { reportedAt: ended }),
      process('writer/3', ['writer'], { startedAt: ended + 1_000 }),
    ],
    status: 'degraded',
    reasons: ['writer writer/1 has stopped reporting'],
  },
  {
    title: 'is unavailable while its only gateway is',
    reported: [
      ...all('gateway'),
      process('gateway/1', ['gateway'], { status: 'unavailable', reasons: ['payloads cannot be stored'] }),
    ],
    status: 'unavailable',
    reasons: ['gateway gateway/1: payloads cannot be stored'],
  },
  {
    title: 'is degraded while one of two gateways is unavailable',
    reported: [
      ...all(),
      process('gateway/2', ['gateway'], { status: 'unavailable', reasons: ['payloads cannot be stored'] }),
    ],
    status: 'degraded',
    reasons: ['gateway gateway/2: payloads cannot be stored'],
  },
];

describe('the status of an installation', () => {
  it.each(cases)('$title', ({ reported, status, reasons }) => {
    expect(systemStatus(reported, NOW)).toMatchObject({ status, reasons });
  });

  it('lists processes by role and start, and those that have stopped reporting as missing', () => {
    const { processes } = systemStatus(
      [
        process('query-api/1', ['query-api']),
        process('writer/2', ['writer'], { startedAt: 2 }),
        process('writer/1', ['writer'], { startedAt: 1, reportedAt: ended }),
      ],
      NOW,
    );
    expect(processes.map(({ id, status }) => [id, status])).toEqual([
      ['writer/1', 'missing'],
      ['writer/2', 'ready'],
      ['query-api/1', 'ready'],
    ]);
  });
});
