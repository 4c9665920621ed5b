import { SERVICE_NAMES, type ServiceName } from '@tidewatch/contracts/system/service-names';
import type { ProcessStatus } from '@tidewatch/contracts/system/system';

/** What a process reported of itself; times in ms. */
export interface ReportedProcess {
  id: string;
  roles: readonly ServiceName[];
  status: 'ready' | 'degraded' | 'unavailable';
  reasons: readonly string[];
  startedAt: number;
  reportedAt: number;
}

export interface SystemStatus<P extends ReportedProcess> {
  status: 'ready' | 'degraded' | 'unavailable';
  reasons: string[];
  processes: (Omit<P, 'status'> & { status: ProcessStatus })[];
}

/** A process that has not reported for this long is missing, ms: three reports were lost. */
export const MISSING_AFTER_MS = 30_000;

/** Whether the installation can do without a service, because payloads are still stored and requests answered. */
export const CAN_BE_MISSING: Readonly<Record<ServiceName, boolean>> = {
  evaluator: false,
  writer: false,
  notifier: true,
  investigator: true,
  gateway: false,
  'query-api': false,
};

/** What the installation does without a service, which its operator wants to know first. */
const WITHOUT: Readonly<Record<ServiceName, string>> = {
  evaluator: 'samples wait to be evaluated, and no alert fires',
  writer: 'samples wait to be stored',
  notifier: 'notifications wait to be delivered',
  investigator: 'alerts wait to be investigated',
  gateway: 'no samples are accepted',
  'query-api': 'the API and the console do not answer',
};

/**
 * The state of an installation at `now` (ms). A process that ended without saying so is missing until another of the same
 * roles starts, which replaces it: one for one, so that of two that ended one restart leaves one.
 */
export function systemStatus<P extends ReportedProcess>(
  reported: readonly P[],
  now: number,
): SystemStatus<P> {
  const isRunning = ({ reportedAt }: P) => now - reportedAt < MISSING_AFTER_MS;
  const running = reported.filter(isRunning);
  const missing = withoutReplaced(
    reported.filter((process) => !isRunning(process)),
    running,
  );
  const absent = SERVICE_NAMES.filter((role) => !running.some(({ roles }) => roles.includes(role)));
  const reasons = [
    ...absent.map(
      (role) => `no ${role} reports${sinceStopped(role, missing)}: ${WITHOUT[role]} until one starts`,
    ),
    ...missing
      .filter(({ roles }) => !roles.every((role) => absent.includes(role)))
      .map(({ id, roles }) => `${roles.join(', ')} ${id} has stopped reporting`),
    ...running.flatMap(({ id, roles, reasons: own }) =>
      own.map((reason) => (roles.length === 1 ? `${roles[0]} ${id}: ${reason}` : reason)),
    ),
  ];
  const isUnavailable =
    absent.some((role) => !CAN_BE_MISSING[role]) ||
    running.some(({ status, roles }) => status === 'unavailable' && !isOneOfMany(roles, running));
  const status = isUnavailable
    ? 'unavailable'
    : reasons.length > 0 || running.some((process) => process.status !== 'ready')
      ? 'degraded'
      : 'ready';
  return {
    status,
    reasons,
    processes: [
      ...running,
      ...missing.map((process) => ({ ...process, status: 'missing' as const, reasons: [] })),
    ].sort((one, other) => place(one) - place(other) || one.startedAt - other.startedAt),
  };
}

/** Names the process whose end left an installation without a role; empty where none is known. */
function sinceStopped(role: ServiceName, latestFirst: readonly ReportedProcess[]): string {
  const latest = latestFirst.find(({ roles }) => roles.includes(role));
  return latest === undefined ? '' : ` since ${latest.id} stopped`;
}

const place = ({ roles }: Pick<ReportedProcess, 'roles'>) =>
  roles[0] === undefined ? -1 : SERVICE_NAMES.indexOf(roles[0]);

/** Whether others of the same roles do the work of a process that cannot, or nobody needs it to answer requests. */
function isOneOfMany(roles: readonly ServiceName[], running: readonly ReportedProcess[]): boolean {
  return roles.every(
    (role) =>
      CAN_BE_MISSING[role] ||
      running.some((other) => other.status !== 'unavailable' && other.roles.includes(role)),
  );
}

/**
 * Leaves out each ended process for which a process of the same roles has started since its last report, whether that one
 * has ended meanwhile or not. The rest come in the order in which they ended, the latest first.
 */
function withoutReplaced<P extends ReportedProcess>(ended: readonly P[], running: readonly P[]): P[] {
  const successors = new Set([...running, ...ended]);
  return [...ended]
    .sort((one, other) => other.reportedAt - one.reportedAt)
    .filter((process) => {
      const successor = [...successors].find(
        (other) =>
          other !== process && other.startedAt >= process.reportedAt && sameRoles(other.roles, process.roles),
      );
      return successor === undefined || !successors.delete(successor);
    });
}

const sameRoles = (one: readonly ServiceName[], other: readonly ServiceName[]) =>
  one.length === other.length && one.every((role) => other.includes(role));
