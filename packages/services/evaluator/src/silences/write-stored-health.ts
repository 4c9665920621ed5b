import type { Transaction } from '@tidewatch/database/connection';
import { type HealthStatus, type StatusReason, underSilence } from '@tidewatch/domain/health/status';
import { readStoredHealth } from '@tidewatch/store/health/read';
import { type ServiceHealthWrite, writeServiceHealth } from '@tidewatch/store/health/write';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { SilenceSet } from '@tidewatch/store/silences/silence-set';

/** Corrects the stored maintenance status of hosts that are not in memory; `now` in ms. */
export async function writeStoredHealth(
  tx: Transaction,
  keys: readonly ServiceKey[],
  silences: SilenceSet,
  now: number,
): Promise<void> {
  if (keys.length === 0) return;
  const writes: ServiceHealthWrite[] = [];
  for (const row of await readStoredHealth(tx, keys)) {
    const covered = silences.covers(row);
    if (covered === (row.status === 'maintenance')) continue;
    const { status, reasons } = underSilence(row.reasons as StatusReason[], covered);
    const statusSince = status === (row.status as HealthStatus) ? row.statusSince : now;
    const { organizationId, serviceId, critical, warning, info } = row;
    writes.push({ organizationId, serviceId, status, reasons, statusSince, critical, warning, info });
  }
  await writeServiceHealth(tx, writes);
}
