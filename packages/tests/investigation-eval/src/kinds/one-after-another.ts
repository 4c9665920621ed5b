import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Kind } from '../incident.ts';
import { burn, fill, type Host, makeUser, standingProcess, type User } from '../world/host.ts';
import type { Random } from '../world/random.ts';
import { closeScene, type Scene, thresholdBelow, untilFired } from '../world/scene.ts';
import type { Effect } from '../world/signal.ts';

const MEBIBYTE = 2 ** 20;
const NAMES = ['ffmpeg', 'rsync', 'tar', 'make', 'stress', 'pigz', 'rustc'];

type Resource = 'cpu_percent' | 'memory_percent';

interface Burst {
  readonly begin: number;
  readonly end: number;
}

/**
 * Incident: several programs use up a resource one after another for some minutes each, with calm minutes between; the last
 * one is the cause. Sometimes the host is known for half an hour only, and sometimes one of its permanent processes began
 * to use more some minutes before.
 */
export const oneAfterAnother: Kind = {
  name: 'one after another',
  sort: 'exhaustion',
  make: untilFired([3, 5], (opened) => {
    const { random, host, onset } = opened;
    const durations = opened.setting.intervalMs < MINUTE_MS ? [1, 2] : [0, 1, 2];
    const scene = {
      ...opened,
      durationMs: random.pick(durations) * MINUTE_MS,
      historyHours: random.chance(0.3) ? 0.6 : opened.historyHours,
    };
    const metric = random.pick(['cpu_percent', 'memory_percent'] as const);
    const usual = host.signals.get(metric)?.at(onset - 60 * MINUTE_MS) ?? 30;
    const share = random.between(0.5, 0.9) * Math.max(20, 95 - usual);
    const threshold = thresholdBelow(host, metric, onset - 40 * MINUTE_MS, usual + share, 0.5);
    const programs = bursts(random, onset, random.whole(1, 3)).map((burst, nth) =>
      program(scene, NAMES[nth] as string, burst, metric, share * random.between(0.9, 1.1)),
    );
    host.processes.push(...programs);
    if (random.chance(0.4)) grow(scene, metric, share * random.between(0.2, 0.45));
    return closeScene(scene, metric, threshold, {
      cause: {
        host: host.name,
        subject: 'process',
        names: [NAMES[programs.length - 1] as string],
        metrics: null,
        kind: null,
      },
    });
  }),
};

/** Makes a permanent process use `percent` of the host more from some minutes before the onset on. */
function grow({ random, host, onset }: Scene, metric: Resource, percent: number): void {
  const since = onset - random.between(4, 25) * MINUTE_MS;
  const user = standingProcess(random, host);
  take(host, user, metric, (time) => (time >= since ? percent : 0));
}

/** The bursts of the programs: the last begins at `onset`, and `earlier` ones precede it. */
function bursts(random: Random, onset: number, earlier: number): Burst[] {
  const all: Burst[] = [{ begin: onset, end: onset + random.between(5, 12) * MINUTE_MS }];
  for (let nth = 0; nth < earlier; nth++) {
    const end = (all[0] as Burst).begin - random.between(1.5, 6) * MINUTE_MS;
    all.unshift({ begin: end - random.between(2, 5) * MINUTE_MS, end });
  }
  return all;
}

/** A process that exists only during its burst and uses `percent` of the host. */
function program(
  { random, host, span }: Pick<Scene, 'random' | 'span'> & { readonly host: Host },
  name: string,
  { begin, end }: Burst,
  metric: Resource,
  percent: number,
): User {
  const during = (time: number) => time >= begin && time < end;
  const user = { ...makeUser(random, name, 0.5, 10 * MEBIBYTE, span, 1), alive: during };
  take(host, user, metric, (time) => (during(time) ? percent : 0));
  return user;
}

/** Makes a user take more of a resource; `percent` is of the whole host. */
function take(host: Host, user: User, metric: Resource, percent: Effect): void {
  if (metric === 'cpu_percent') burn(host, user, (time) => percent(time) * host.cores);
  else fill(host, user, (time) => (percent(time) / 100) * host.memory);
}
