import type { PageSearch } from '@tidewatch/contracts/console/paths';
import { absoluteTime } from '../../alerts/list/alerts-query.ts';

/** The query of a list of investigations, as the API takes it. */
export interface InvestigationFilter {
  status?: string | undefined;
  conclusion?: string | undefined;
  severity?: string | undefined;
  host?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The filter of the list that a URL asks for. Relative times are those of `now`. */
export function investigationFilterOf(
  { status, conclusion, severity, host, from, to }: PageSearch<'investigations'>,
  now: number,
): InvestigationFilter {
  return {
    ...(status !== undefined && { status }),
    ...(conclusion !== undefined && { conclusion }),
    ...(severity !== undefined && { severity }),
    ...(host !== undefined && { host }),
    ...(from !== undefined && { from: absoluteTime(from, now) }),
    ...(to !== undefined && { to: absoluteTime(to, now) }),
  };
}

export function isFiltered(search: PageSearch<'investigations'>): boolean {
  return Object.keys(investigationFilterOf(search, 0)).length > 0;
}
