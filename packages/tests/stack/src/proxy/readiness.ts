import type { ServiceName } from '@tidewatch/contracts/system/service-names';
import { CAN_BE_MISSING } from '@tidewatch/domain/health/system-status';

/** A service process, by the address of its admin port. */
export interface Member {
  role: ServiceName;
  url: string;
}

/** The readiness that a process answered. */
export interface MemberReadiness {
  status: string;
  reasons?: string[];
  [detail: string]: unknown;
}

export interface AskedMember extends Member {
  /** Null where it did not answer in time. */
  readiness: MemberReadiness | null;
}

/**
 * The combined readiness of all processes: every reason with its role, and the details of all. It is `unavailable` where a
 * service cannot work that the installation needs, and no other process of the same role can.
 */
export function combine(
  members: readonly AskedMember[],
): { status: string; reasons: string[] } & Record<string, unknown> {
  const reasons = new Set<string>();
  let status = 'ready';
  const details: Record<string, unknown> = {};
  const isNeeded = (role: ServiceName) =>
    !CAN_BE_MISSING[role] && !members.some((other) => other.role === role && works(other));
  for (const member of members) {
    const { role, url, readiness } = member;
    if (!works(member) && isNeeded(role)) status = 'unavailable';
    else if (readiness?.status !== 'ready' && status === 'ready') status = 'degraded';
    if (readiness === null) {
      reasons.add(`${role}: does not answer at ${url}`);
      continue;
    }
    const { status: _, reasons: why = [], role: __, versions, ...rest } = readiness;
    for (const reason of why) reasons.add(`${role}: ${reason}`);
    Object.assign(details, rest);
    details.versions = { ...(details.versions as object), ...(versions as object) };
  }
  return { status, reasons: [...reasons], ...details };
}

const works = ({ readiness }: AskedMember) => readiness !== null && readiness.status !== 'unavailable';

/** Requests the readiness of each process from its admin address. */
export async function askMembers(members: readonly Member[], withinMs: number): Promise<AskedMember[]> {
  return Promise.all(
    members.map(async (member) => {
      try {
        const response = await fetch(`${member.url}/readyz`, { signal: AbortSignal.timeout(withinMs) });
        return { ...member, readiness: (await response.json()) as MemberReadiness };
      } catch {
        return { ...member, readiness: null };
      }
    }),
  );
}
