import { SERVICE_NAMES, type ServiceName } from '@tidewatch/contracts/system/service-names';
import { STORAGE_BACKENDS } from '@tidewatch/contracts/system/storage-backends';
import type { Grade, SystemFigure } from '@tidewatch/contracts/system/system-grades';
import {
  formatBytes,
  formatCount,
  formatNumber,
  formatValue,
  NO_VALUE,
} from '../../components/number/number-format.ts';
import type { Readiness } from './readiness.ts';
import type { System } from './system-reads.ts';

const ROLES: Readonly<Record<ServiceName, [one: string, many: string]>> = {
  gateway: ['gateway', 'gateways'],
  writer: ['writer', 'writers'],
  evaluator: ['evaluator', 'evaluators'],
  notifier: ['notifier', 'notifiers'],
  investigator: ['investigator', 'investigators'],
  'query-api': ['query API', 'query APIs'],
};

/** The roles of a process in words: "writer", or "all services". */
export function roleWords(roles: readonly ServiceName[]): string {
  if (SERVICE_NAMES.every((role) => roles.includes(role))) return 'all services';
  return roles.map((role) => ROLES[role][0]).join(', ');
}

/** How many processes of each role run: "3 gateways, 2 evaluators", or "1 process with all services". */
export function processWords(processes: System['processes']): string {
  const running = processes.filter(({ status }) => status !== 'missing');
  const whole = running.filter(({ roles }) => roles.length === SERVICE_NAMES.length).length;
  if (whole > 0) return `${formatCount(whole)} ${whole === 1 ? 'process' : 'processes'} with all services`;
  return Object.entries(ROLES)
    .map(([role, [one, many]]) => {
      const count = running.filter(({ roles }) => roles.includes(role as ServiceName)).length;
      return `${count === 0 ? 'no' : formatCount(count)} ${count === 1 || count === 0 ? one : many}`;
    })
    .join(', ');
}

const BADNESS = ['ready', 'degraded', 'unavailable'] as const;

/**
 * The worst of what the process that answers says of itself now and what all processes have reported. A reason of both is
 * given once, with the process that it is of: "query-api: …" is left out beside "query-api vm/1: …".
 */
export function overallState(
  readiness: Readiness,
  system: System | undefined,
): Pick<Readiness, 'status' | 'reasons'> {
  if (system === undefined) return readiness;
  const worst = Math.max(BADNESS.indexOf(readiness.status), BADNESS.indexOf(system.status));
  return {
    status: BADNESS[worst] ?? 'unavailable',
    reasons: [
      ...new Set([...readiness.reasons.filter((reason) => !isReported(reason, system)), ...system.reasons]),
    ],
  };
}

function isReported(reason: string, { processes }: System): boolean {
  return processes.some(({ roles, reasons }) =>
    reasons.some((own) => own === reason || roles.some((role) => reason === `${role}: ${own}`)),
  );
}

/** The storage backend by the name that people read. */
export function backendWords(name: unknown): string {
  const known: Readonly<Record<string, string>> = STORAGE_BACKENDS;
  return known[String(name)] ?? String(name ?? NO_VALUE);
}

/** What a figure shows: its value, and a remark below. */
export interface FigureText {
  value: string;
  remark: string;
}

export function figureTexts(system: System): Record<SystemFigure, FigureText> {
  const { evaluation_lag_seconds: lag, dead_letters, notifications, jobs, event_streams } = system;
  const waits = notifications?.queued ?? 0;
  return {
    lag: lagText(lag),
    dead_letters: {
      value: formatCount(dead_letters.count),
      remark:
        dead_letters.count === 0
          ? 'No record was given up.'
          : 'Records given up since the processes started; the log names each.',
    },
    notifications: {
      value:
        notifications === null
          ? NO_VALUE
          : waits === 0
            ? 'none'
            : formatValue(notifications.oldest_seconds, 'seconds'),
      remark:
        notifications === null
          ? 'No notifier reports.'
          : waits === 0
            ? 'No notification waits.'
            : `${formatCount(waits)} ${waits === 1 ? 'waits' : 'wait'}, of all organizations.`,
    },
    storage: storageText(system.storage),
    event_streams: {
      value: `${formatCount(event_streams)} open`,
      remark: 'Consoles and clients that follow events.',
    },
    jobs: {
      value: formatCount(jobs.failing.length),
      remark:
        jobs.failing.length > 0
          ? `${jobs.failing.join(', ')}: the last round failed and is retried.`
          : jobs.failures > 0
            ? `None now; ${formatCount(jobs.failures)} failed ${jobs.failures === 1 ? 'round' : 'rounds'} since the start.`
            : 'Every round has worked since the start.',
    },
  };
}

/** A lag; one below the resolution at which it is known is said to be below it. */
export function lagText(seconds: number | null, resolutionSeconds = 0): FigureText {
  if (seconds === null) return { value: NO_VALUE, remark: 'No sample has been evaluated yet.' };
  const isBelow = seconds < resolutionSeconds;
  return {
    value: isBelow ? `below ${resolutionSeconds} s` : formatValue(seconds, 'seconds'),
    remark: 'From when a sample is received until its rules are evaluated.',
  };
}

function storageText({
  database_bytes,
  disk,
  growth_bytes_per_day: growth,
  days_left,
}: System['storage']): FigureText {
  const size = formatBytes(database_bytes);
  const grows =
    growth === null
      ? 'growth is known after a day'
      : growth > 0
        ? `grows ${formatBytes(growth)} a day`
        : 'does not grow';
  if (disk === null)
    return { value: size, remark: `Database; ${grows}. The disk of PostgreSQL is not seen from here.` };
  const left = days_left === null ? '' : `, ${formatNumber(Math.floor(days_left))} d left`;
  return {
    value: `${formatBytes(disk.total_bytes - disk.free_bytes)} of ${formatBytes(disk.total_bytes)}${left}`,
    remark: `Used on the disk; the database is ${size} and ${grows}.`,
  };
}

/** The status whose shape a grade has, and its word; null where everything is as it should be. */
export const GRADES: Readonly<Record<Grade, { status: string; word: string } | null>> = {
  ok: null,
  unknown: null,
  warning: { status: 'warning', word: 'look at this' },
  failed: { status: 'critical', word: 'act now' },
};
