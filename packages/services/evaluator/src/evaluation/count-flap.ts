import type { Severity } from '@tidewatch/contracts/values/severity';
import { type FlapLog, isCalm, noteFlap } from '@tidewatch/domain/alerting/flapping';
import type { AlertInstance } from '../memory/alert-instance.ts';
import { flapKey } from '../memory/monitored-host.ts';
import type { Changes } from './changes.ts';
import { stageAlertEvent } from './stage-alert-event.ts';

/** A host's flap logs of calm alerts are deleted each time that the host has this many more logs. */
const FLAPS_PER_CLEANUP = 100;

/** Counts a flap: the alert breached again while it recovered, or resolved. Emits one event for each severity. */
export function countFlap(changes: Changes, instance: AlertInstance, at: number, severity: Severity): void {
  const { alertId } = instance;
  if (alertId === null) return;
  const { flaps } = instance.service;
  const key = flapKey(instance.rule.id, instance.stream.subject);
  const known = flaps.get(key) ?? null;
  const { log, begins } = noteFlap(known, { at, severity });
  if (known === null && flaps.size % FLAPS_PER_CLEANUP === FLAPS_PER_CLEANUP - 1) forgetCalm(flaps, at);
  flaps.set(key, log);
  changes.flapped.add(instance);
  if (begins !== null) stageAlertEvent(changes, 'flapping', instance, alertId, begins);
}

/** Deletes the flap logs of calm alerts, so that containers and processes with ever new names do not fill the memory. */
function forgetCalm(flaps: Map<string, FlapLog>, now: number): void {
  for (const [key, log] of flaps) if (isCalm(log.flaps.at(-1)?.at ?? 0, now)) flaps.delete(key);
}
