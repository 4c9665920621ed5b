export interface Member {
  status: string;
  reasons?: string[];
  [detail: string]: unknown;
}

/** The combined readiness of all processes: the worst status, every reason with its role, and the details of all. */
export function combine(
  members: readonly (Member | null)[],
): { status: string; reasons: string[] } & Record<string, unknown> {
  const reasons: string[] = [];
  let status = 'ready';
  const details: Record<string, unknown> = {};
  for (const member of members) {
    if (member === null) {
      reasons.push('a service does not answer');
      status = 'unavailable';
      continue;
    }
    const { status: its, reasons: why = [], role, versions, ...rest } = member;
    for (const reason of why) if (!reasons.includes(`${role}: ${reason}`)) reasons.push(`${role}: ${reason}`);
    if (its === 'unavailable' || (its === 'degraded' && status === 'ready')) status = its;
    Object.assign(details, rest);
    details.versions = { ...(details.versions as object), ...(versions as object) };
  }
  return { status, reasons, ...details };
}

/** Requests the readiness of each process from its admin address; null for one that does not answer in time. */
export async function askMembers(urls: readonly string[], withinMs: number): Promise<(Member | null)[]> {
  return Promise.all(
    urls.map(async (url) => {
      try {
        const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(withinMs) });
        return (await response.json()) as Member;
      } catch {
        return null;
      }
    }),
  );
}
