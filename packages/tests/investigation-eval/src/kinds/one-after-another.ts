import type { Kind } from '../incident.ts';
import { burn, fill, type Host, makeUser, type User } from '../world/host.ts';
import type { Random } from '../world/random.ts';
import { closeScene, openScene, type Scene, thresholdBelow, untilFired } from '../world/scene.ts';

const MINUTE = 60_000;
const MEBIBYTE = 2 ** 20;
const NAMES = ['ffmpeg', 'rsync', 'tar', 'make', 'stress', 'pigz', 'rustc'];

interface Burst {
  readonly begin: number;
  readonly end: number;
}

/**
 * Programs take a resource one after another, each for some minutes, with minutes of calm between them; asked is about the last.
 * Sometimes the host has been known for half an hour only.
 */
export const oneAfterAnother: Kind = {
  name: 'one after another',
  sort: 'exhaustion',
  make: (setting) =>
    untilFired(setting, (each) => {
      const opened = openScene(each);
      const { random, host, onset } = opened;
      const durations = each.intervalMs < MINUTE ? [1, 2] : [0, 1, 2];
      const scene = {
        ...opened,
        durationMs: random.pick(durations) * MINUTE,
        historyHours: random.chance(0.3) ? 0.6 : opened.historyHours,
      };
      const metric = random.pick(['cpu_percent', 'memory_percent'] as const);
      const usual = host.signals.get(metric)?.at(onset - 60 * MINUTE) ?? 30;
      const share = random.between(0.5, 0.9) * Math.max(20, 95 - usual);
      const threshold = thresholdBelow(host, metric, onset - 40 * MINUTE, usual + share, 0.5);
      const programs = bursts(random, onset, random.whole(1, 3)).map((burst, nth) =>
        program(scene, NAMES[nth] as string, burst, metric, share * random.between(0.9, 1.1)),
      );
      host.processes.push(...programs);
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

/** The last begins at `onset`, and `earlier` ones lie before it. */
function bursts(random: Random, onset: number, earlier: number): Burst[] {
  const all: Burst[] = [{ begin: onset, end: onset + random.between(5, 12) * MINUTE }];
  for (let nth = 0; nth < earlier; nth++) {
    const end = (all[0] as Burst).begin - random.between(1.5, 6) * MINUTE;
    all.unshift({ begin: end - random.between(2, 5) * MINUTE, end });
  }
  return all;
}

/** A process that exists during its burst alone, and takes `percent` of the whole host. */
function program(
  { random, host, span }: Pick<Scene, 'random' | 'span'> & { readonly host: Host },
  name: string,
  { begin, end }: Burst,
  metric: 'cpu_percent' | 'memory_percent',
  percent: number,
): User {
  const during = (time: number) => time >= begin && time < end;
  const user = { ...makeUser(random, name, 0.5, 10 * MEBIBYTE, span, 1), alive: during };
  if (metric === 'cpu_percent') burn(host, user, (time) => (during(time) ? percent * host.cores : 0));
  else fill(host, user, (time) => (during(time) ? (percent / 100) * host.memory : 0));
  return user;
}
