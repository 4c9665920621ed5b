import { maxSilenceMs } from '@tidewatch/domain/health/silence';
import { statusOf } from '@tidewatch/domain/health/status';
import type { ServiceHealthWrite } from '@tidewatch/store/health/write';
import type { MonitoredHost } from '../memory/monitored-host.ts';

/**
 * Recomputes the status of a host and keeps it in memory. Returns the changed values to write, null if nothing changed.
 * `status_since` changes only with the status; `now` is the server's clock in ms.
 */
export function refreshHealth(
  service: MonitoredHost,
  usualIntervalMs: number,
  maintenance: boolean,
  now: number,
): ServiceHealthWrite | null {
  const counts = { critical: 0, warning: 0, info: 0 };
  const first: { critical: string | null; warning: string | null; info: string | null } = {
    critical: null,
    warning: null,
    info: null,
  };
  for (const stream of service.streams.values()) {
    for (const instance of stream.instances) {
      const { terms, shadow } = instance;
      if (terms === null || shadow) continue;
      counts[terms.severity] += 1;
      first[terms.severity] ??= instance.alertId;
    }
  }
  const { status, reasons } = statusOf({
    maintenance,
    silent: service.offline,
    maxSilenceMs: maxSilenceMs(usualIntervalMs),
    critical: counts.critical,
    warning: counts.warning,
    criticalAlertId: first.critical,
    warningAlertId: first.warning,
    clockSkewSeconds: service.skewSeconds,
  });
  const { health } = service;
  const numbers = `${counts.critical}/${counts.warning}/${counts.info}`;
  if (
    status === health.status &&
    numbers === health.counts &&
    JSON.stringify(reasons) === JSON.stringify(health.reasons)
  )
    return null;
  const since = status === health.status ? health.since : now;
  // Copied, because an array that has grown keeps spare capacity.
  service.health = { status, reasons: reasons.slice(), since, counts: numbers };
  return {
    organizationId: service.organizationId,
    serviceId: service.serviceId,
    status,
    reasons,
    statusSince: since,
    ...counts,
  };
}
