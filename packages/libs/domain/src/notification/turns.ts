/**
 * How a destination responded: `proven` answered last time, `unproven` never answered yet, `failing` did not answer last
 * time. The latter two may not answer within the time limit.
 */
export type Standing = 'proven' | 'unproven' | 'failing';

/** A channel with a notification that is due. `dueAt` in ms. */
export interface DueChannel {
  organizationId: string;
  priority: number;
  standing: Standing;
  dueAt: number;
  /** The time of the last poll that found a due notification but could not claim it; 0 for none. */
  blockedIn: number;
}

const STANDINGS: readonly Standing[] = ['proven', 'unproven', 'failing'];

/** Derives the standing of a destination from its delivery state, which is null before the first attempt. */
export function standingOf(pace: { failures: number; answeredAt: number | null } | null): Standing {
  if (pace === null) return 'unproven';
  if (pace.failures > 0) return 'failing';
  return pace.answeredAt === null ? 'unproven' : 'proven';
}

/**
 * The order in which channels are served: one channel of each organization in turn, starting after the organization that
 * was served last. Within an organization the most severe come first, blocked channels last.
 */
export function inTurns<T extends DueChannel>(due: readonly T[], servedLast: string | null): T[] {
  const queues = new Map<string, T[]>();
  for (const channel of due) {
    const queue = queues.get(channel.organizationId);
    if (queue === undefined) queues.set(channel.organizationId, [channel]);
    else queue.push(channel);
  }
  for (const queue of queues.values()) queue.sort(compare);
  const organizations = [...queues.keys()].sort();
  const first = servedLast === null ? 0 : organizations.findIndex((id) => id > servedLast);
  const turns =
    first <= 0 ? organizations : [...organizations.slice(first), ...organizations.slice(0, first)];
  const ordered: T[] = [];
  for (let round = 0; ordered.length < due.length; round += 1) {
    for (const id of turns) {
      const channel = queues.get(id)?.[round];
      if (channel !== undefined) ordered.push(channel);
    }
  }
  return ordered;
}

function compare(a: DueChannel, b: DueChannel): number {
  return (
    a.blockedIn - b.blockedIn ||
    a.priority - b.priority ||
    STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing) ||
    a.dueAt - b.dueAt
  );
}
