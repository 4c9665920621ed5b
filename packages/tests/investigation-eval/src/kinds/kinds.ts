import type { Kind } from '../incident.ts';
import { badDeploy } from './bad-deploy.ts';
import { containerCrashes } from './container-crashes.ts';
import { containerLeaksMemory } from './container-leaks-memory.ts';
import { cronSpike } from './cron-spike.ts';
import { diskFills } from './disk-fills.ts';
import { flapping } from './flapping.ts';
import { gradualLeak } from './gradual-leak.ts';
import { healthyFalseAlarm } from './healthy-false-alarm.ts';
import { hostRestarts } from './host-restarts.ts';
import { missingData } from './missing-data.ts';
import { networkSaturation } from './network-saturation.ts';
import { noisyNeighbour } from './noisy-neighbour.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { processEatsCpu } from './process-eats-cpu.ts';
import { sharedDatabase } from './shared-database.ts';
import { unseenCause } from './unseen-cause.ts';

/** All kinds of incidents. A kind's position determines its seeds, so add a kind at the end. */
export const KINDS: readonly Kind[] = [
  processEatsCpu,
  containerLeaksMemory,
  diskFills,
  networkSaturation,
  cronSpike,
  gradualLeak,
  flapping,
  hostRestarts,
  containerCrashes,
  noisyNeighbour,
  sharedDatabase,
  badDeploy,
  healthyFalseAlarm,
  missingData,
  unseenCause,
  oneAfterAnother,
];
