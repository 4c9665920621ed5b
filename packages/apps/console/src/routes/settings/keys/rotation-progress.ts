import type { KeyDetail } from './key-words.ts';

type RecentHost = KeyDetail['recent_hosts'][number];

/** How far the hosts of a key have moved to its successor. */
export interface RotationProgress {
  /** Hosts that used the successor last. */
  moved: readonly string[];
  /** Hosts that used the former key last, and since the rotation: they stop reporting when it ends. */
  remaining: readonly RecentHost[];
  /** Hosts that have used neither key since the rotation. */
  silent: readonly RecentHost[];
}

/** Compares the hosts that a rotated key and its successor were used for last. */
export function rotationProgress(
  former: Pick<KeyDetail, 'recent_hosts'>,
  successor: Pick<KeyDetail, 'recent_hosts' | 'created_at'>,
): RotationProgress {
  const usedSince = new Map(successor.recent_hosts.map(({ host, last_used_at }) => [host, last_used_at]));
  const hasMoved = ({ host, last_used_at }: RecentHost) => {
    const used = usedSince.get(host);
    return used !== undefined && Date.parse(used) >= Date.parse(last_used_at);
  };
  const known = new Set(former.recent_hosts.map(({ host }) => host));
  const behind = former.recent_hosts.filter((host) => !hasMoved(host));
  const isSilent = ({ last_used_at }: RecentHost) =>
    Date.parse(last_used_at) < Date.parse(successor.created_at);
  return {
    moved: [
      ...former.recent_hosts.filter(hasMoved).map(({ host }) => host),
      ...[...usedSince.keys()].filter((host) => !known.has(host)),
    ],
    remaining: behind.filter((host) => !isSilent(host)),
    silent: behind.filter(isSilent),
  };
}
