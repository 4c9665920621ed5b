/** An object that somebody looked at. */
export interface Visited {
  page: 'alert' | 'host' | 'rule' | 'investigation';
  id: string;
  /** Its name as it was sent. */
  name: string;
}

const KEY = 'tidewatch.visited';
export const MAX_VISITED = 10;
const PAGES: readonly string[] = ['alert', 'host', 'rule', 'investigation'] satisfies Visited['page'][];

/** The list after a visit: the newest first, each object once. */
export function visitedAfter(former: readonly Visited[], visit: Visited): Visited[] {
  return [visit, ...former.filter(({ id }) => id !== visit.id)].slice(0, MAX_VISITED);
}

/** The objects that this browser visited last in an organization; none where nothing readable is stored. */
export function parseVisited(stored: string | null, organizationId: string): Visited[] {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    const { organization, visited } = (value ?? {}) as { organization?: unknown; visited?: unknown };
    if (organization !== organizationId || !Array.isArray(visited)) return [];
    return visited.filter(isVisited).slice(0, MAX_VISITED);
  } catch {
    return [];
  }
}

function isVisited(value: unknown): value is Visited {
  if (typeof value !== 'object' || value === null) return false;
  const { page, id, name } = value as Record<string, unknown>;
  return PAGES.includes(page as string) && typeof id === 'string' && typeof name === 'string';
}

export function readVisited(organizationId: string): Visited[] {
  try {
    return parseVisited(localStorage.getItem(KEY), organizationId);
  } catch {
    return [];
  }
}

export function noteVisited(organizationId: string, visit: Visited): void {
  const visited = visitedAfter(readVisited(organizationId), visit);
  try {
    localStorage.setItem(KEY, JSON.stringify({ organization: organizationId, visited }));
  } catch {
    // A browser may refuse storage: nothing is remembered then.
  }
}

/** Forgets what was visited, so that the next user of the browser does not see it. */
export function forgetVisited(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // A browser that refuses storage has nothing to forget.
  }
}
