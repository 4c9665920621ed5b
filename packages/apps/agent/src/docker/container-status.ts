/** What the text `Status` of a listed container says, such as "Up 2 hours (healthy)" or "Exited (137) 5 minutes ago". */
export interface ContainerStatus {
  /** How long the container has been in its state, seconds, rounded down; undefined if the text does not say. */
  ageSeconds: number | undefined;
  health: 'healthy' | 'unhealthy' | 'starting' | undefined;
}

const SECONDS_BY_UNIT: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};

export function parseStatus(status: string): ContainerStatus {
  const health = /\((healthy|unhealthy|health: starting)\)/.exec(status)?.[1];
  return {
    ageSeconds: ageOf(status),
    health: health === 'health: starting' ? 'starting' : (health as ContainerStatus['health']),
  };
}

function ageOf(status: string): number | undefined {
  if (status.includes('Less than a second')) return 0;
  const [, count = '', unit = ''] =
    /(\d+|a|an) (second|minute|hour|day|week|month|year)s?\b/.exec(status) ?? [];
  const seconds = SECONDS_BY_UNIT[unit];
  if (seconds === undefined) return undefined;
  return (/^\d+$/.test(count) ? Number(count) : 1) * seconds;
}
