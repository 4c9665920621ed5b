import type { Api } from '../../api.ts';

/** The number of rules of which each service has an alert. */
export const RULES = 10;

/** What every answer of a list has. */
export interface Page {
  pagination: { total: number; next_cursor: string | null };
}

export async function totalAt(api: Api, path: string): Promise<number> {
  return (await api.get<Page>(path)).pagination.total;
}

/**
 * Returns paths of the list of services with every filter and combinations of filters, at the start, middle and end of
 * the list.
 */
export async function servicePaths(api: Api, services: number): Promise<string[]> {
  const last = services - 100;
  const queries = [
    ...[
      '',
      `limit=100&offset=${last}`,
      `limit=100&offset=${services / 2}`,
      'status=critical',
      'status=healthy',
    ],
    ...[`status=critical&limit=100&offset=${last}`, 'status=archived', 'q=list-09', 'q=LIST', 'q=none'],
    ...['tag=region:eu-3', 'tag=fleet:bench', 'tag=region:eu-3&tag=fleet:bench', 'tag=region:nowhere'],
    ...[`tag=region:eu-3&limit=100&offset=${Math.floor(services * 0.13)}`, 'status=critical&tag=region:eu-3'],
    ...['q=list-09&tag=region:eu-3', 'status=critical&q=list-09'],
    ...['group_by=region', 'group_by=region&status=critical', 'group_by=region&q=list-09'],
    ...(await cursors(api, '/services?')),
    ...(await cursors(api, '/services?tag=fleet:bench&')),
  ];
  return queries.map((query) => `/services?${query}`);
}

/**
 * Returns paths of the list of alerts with every filter, combinations and time windows, at the start, middle and end of
 * the list.
 */
export async function alertPaths(
  api: Api,
  services: number,
  now: number,
  service = '',
  rule = '',
): Promise<string[]> {
  const alerts = services * RULES;
  const iso = (ms: number) => new Date(ms).toISOString();
  const [newest] = (await api.get<{ alerts: { fired_at: string }[] }>('/alerts?status=all&limit=1')).alerts;
  const fired = Date.parse(newest?.fired_at ?? '');
  const byRule = `status=all&rule_id=${rule}`;
  const queries = [
    ...[
      '',
      'status=all',
      'status=resolved',
      'severity=critical',
      'severity=info',
      'status=all&severity=info',
    ],
    ...[alerts - 100, alerts / 2].map((offset) => `status=all&limit=100&offset=${offset}`),
    `limit=100&offset=${alerts / 2 - 100}`,
    ...['acknowledged=true', 'acknowledged=false'],
    ...['status=all&acknowledged=true', 'status=all&acknowledged=false'],
    ...[`rule_id=${rule}`, byRule, `${byRule}&limit=100&offset=${services - 100}`],
    ...[`service_id=${service}`, `status=all&service_id=${service}`],
    ...['host=list-00042', 'status=all&host=list-00042'],
    ...[`status=all&from=${iso(now - 7 * 86_400_000)}`, `status=all&from=${iso(fired - 600_000)}`],
    ...[`status=all&from=${iso(fired)}`, `status=all&to=${iso(fired)}`, `status=all&to=${iso(fired + 1)}`],
    `status=all&from=${iso(fired - 3_600_000)}&to=${iso(fired + 3_600_000)}`,
    `severity=critical&acknowledged=false&from=${iso(fired - 600_000)}&to=${iso(now)}`,
    ...[`${byRule}&from=${iso(fired - 600_000)}`, `${byRule}&severity=info`],
    ...['sort=-severity', 'status=all&sort=severity', `${byRule}&sort=-severity`],
    ...['sort=-created_at', `${byRule}&sort=created_at`, `status=all&to=${iso(fired + 1)}&sort=-created_at`],
    ...(await cursors(api, '/alerts?status=all&')),
    ...(await cursors(api, '/alerts?severity=critical&')),
  ];
  return queries.map((query) => `/alerts?${query}`);
}

/** The query strings of the second page and of one near the end of a list, by cursor. */
async function cursors(api: Api, path: string): Promise<string[]> {
  const filters = path.slice(path.indexOf('?') + 1);
  const total = await totalAt(api, `${path}limit=1`);
  const found: string[] = [];
  for (const offset of [0, Math.max(0, total - 300)]) {
    const page = await api.get<Page>(`${path}limit=100&offset=${offset}`);
    found.push(`${filters}limit=100&cursor=${encodeURIComponent(page.pagination.next_cursor ?? '')}`);
  }
  return found;
}
