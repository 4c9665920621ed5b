import type { Severity } from '@tidewatch/contracts/values/severity';
import { type FlapLog, isCalm, noteFlap } from '@tidewatch/domain/alerting/flapping';
import { flapKey } from '../memory/judged-service.ts';
import type { Pair } from '../memory/pair.ts';
import type { Changes } from './changes.ts';
import { tell } from './tell.ts';

/** Whenever a service has so many logs more, those that are calm are forgotten. */
const FLAPS_A_LOOK = 100;

/** One more time that it breached again, or fired and resolved; it is told once of each severity that it flaps. */
export function countFlap(changes: Changes, pair: Pair, at: number, severity: Severity): void {
  const { alertId } = pair;
  if (alertId === null) return;
  const { flaps } = pair.service;
  const key = flapKey(pair.rule.id, pair.stream.subject);
  const known = flaps.get(key) ?? null;
  const { log, begins } = noteFlap(known, { at, severity });
  if (known === null && flaps.size % FLAPS_A_LOOK === FLAPS_A_LOOK - 1) forgetCalm(flaps, at);
  flaps.set(key, log);
  changes.flapped.add(pair);
  if (begins !== null) tell(changes, 'flapping', pair, alertId, begins);
}

/** Names of containers and processes may come and go for ever. */
function forgetCalm(flaps: Map<string, FlapLog>, now: number): void {
  for (const [key, log] of flaps) if (isCalm(log.flaps.at(-1)?.at ?? 0, now)) flaps.delete(key);
}
