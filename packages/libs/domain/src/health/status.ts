import { stretch } from '../alerting/quantity.ts';

/**
 * The statuses of a service by precedence: the first that applies is its status. `archived` is not among them, since
 * archived services are not listed.
 */
export const HEALTH_STATUSES = ['maintenance', 'offline', 'critical', 'degraded', 'healthy'] as const;

export type HealthStatus = (typeof HEALTH_STATUSES)[number];

export interface StatusReason {
  code: 'critical_alert' | 'warning_alert' | 'silent' | 'silenced' | 'clock_skew';
  message: string;
  alert_id: string | null;
}

/** The facts that determine a service's health. */
export interface HealthFacts {
  /** Whether an active silence matches the whole host. */
  maintenance?: boolean;
  silent: boolean;
  /** The time without a payload after which the host counts as silent, in ms; used only in the message. */
  maxSilenceMs?: number;
  /** The number of active alerts with severity `critical`; `warning` is the same for warnings. `info` is not counted. */
  critical: number;
  warning: number;
  /** Id of one alert of each severity, to which the reason of the status refers. */
  criticalAlertId?: string | null;
  warningAlertId?: string | null;
  /** How many seconds the clock of the host is ahead (negative if it is behind); null while the clock is right. */
  clockSkewSeconds?: number | null;
}

export interface Health {
  status: HealthStatus;
  /** All statuses that apply, by precedence; reasons that do not change the status come last. */
  reasons: StatusReason[];
}

/** A service's status, by precedence, and why. */
export function statusOf(facts: HealthFacts): Health {
  const reasons: StatusReason[] = [];
  const { maintenance = false, silent, critical, warning } = facts;
  const status = decide(maintenance, silent, critical > 0, warning > 0);
  if (maintenance) reasons.push(SILENCED);
  if (facts.silent) reasons.push(reason('silent', silence(facts.maxSilenceMs)));
  if (facts.critical > 0)
    reasons.push(reason('critical_alert', activeAlerts(facts.critical, 'critical'), facts.criticalAlertId));
  if (facts.warning > 0)
    reasons.push(reason('warning_alert', activeAlerts(facts.warning, 'warning'), facts.warningAlertId));
  if (facts.clockSkewSeconds != null) {
    reasons.push(reason('clock_skew', clockIsWrong(facts.clockSkewSeconds)));
  }
  return { status, reasons };
}

/** Updates stored health when a silence begins or ends to match the whole host. */
export function underSilence(reasons: readonly StatusReason[], maintenance: boolean): Health {
  const others = reasons.filter(({ code }) => code !== 'silenced');
  if (maintenance) return { status: 'maintenance', reasons: [SILENCED, ...others] };
  const holds = (code: StatusReason['code']) => others.some((each) => each.code === code);
  return {
    status: decide(false, holds('silent'), holds('critical_alert'), holds('warning_alert')),
    reasons: others,
  };
}

function decide(maintenance: boolean, silent: boolean, critical: boolean, warning: boolean): HealthStatus {
  if (maintenance) return 'maintenance';
  if (silent) return 'offline';
  if (critical) return 'critical';
  return warning ? 'degraded' : 'healthy';
}

/** The worse of two statuses; what a group of services shows. */
export function worstStatus(a: HealthStatus, b: HealthStatus): HealthStatus {
  return WORST_FIRST.indexOf(a) <= WORST_FIRST.indexOf(b) ? a : b;
}

/** In a group of services, maintenance ranks below every fault, so that it hides none. */
const WORST_FIRST: readonly HealthStatus[] = ['critical', 'offline', 'degraded', 'maintenance', 'healthy'];

function reason(code: StatusReason['code'], message: string, alertId: string | null = null): StatusReason {
  return { code, message, alert_id: alertId };
}

function clockIsWrong(skewSeconds: number): string {
  const amount = stretch(Math.round(Math.abs(skewSeconds)) * 1_000);
  return skewSeconds > 0
    ? `Its clock is ${amount} ahead: samples from so far ahead are evaluated once its requests agree on that.`
    : `Its clock is ${amount} behind: samples are evaluated in the order in which they arrive.`;
}

const SILENCED = reason('silenced', 'A silence matches this host.');

function silence(maxSilenceMs: number | undefined): string {
  return maxSilenceMs === undefined
    ? 'No payload has arrived.'
    : `No payload has arrived for ${Math.round(maxSilenceMs / 1_000)} s or longer.`;
}

function activeAlerts(count: number, severity: string): string {
  return count === 1 ? `1 ${severity} alert is active.` : `${count} ${severity} alerts are active.`;
}
