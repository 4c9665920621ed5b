import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Installation, ServiceProcess } from '@tidewatch/harness/installation';

/** What the query API says of the payloads of a ledger. */
export interface StoredLedger {
  /** Creates a rule on `cpu_percent` above 90 for so many minutes; returns its id. */
  makeRule(minutes: number): Promise<string>;
  /** The number and the sum of the payload numbers that are stored for each host whose name begins so; `start` in ms. */
  found(prefix: string, start: number): Promise<Record<string, { count: number; sum: number }>>;
  /** The host and time of each alert that the rule fired, in order. */
  firings(ruleId: string): Promise<string[]>;
}

export function openStoredLedger(installation: Installation, api: ServiceProcess): StoredLedger {
  // biome-ignore lint/suspicious/noExplicitAny: answers whose schemas are tested elsewhere
  async function ask(path: string, body?: object): Promise<any> {
    const response = await fetch(`${api.url}/api/v1${path}`, {
      headers: { 'x-api-key': installation.key, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  return {
    async makeRule(minutes) {
      const rule = {
        name: `for ${minutes} minutes`,
        metric: 'cpu_percent',
        condition: 'greater_than',
        threshold: 90,
      };
      return (await ask('/alerts/rules', { ...rule, duration_minutes: minutes })).id;
    },
    async found(prefix, start) {
      const { services } = await ask(`/services?q=${prefix}&limit=100`);
      const range = `from=${new Date(start - MINUTE_MS).toISOString()}&to=${new Date(start + 240 * MINUTE_MS).toISOString()}`;
      const rows = services.map(async ({ id, name }: { id: string; name: string }) => {
        const { series } = await ask(`/services/${id}/metrics?metrics=n&step=1h&${range}`);
        const points: { avg: number; count: number }[] = series[0]?.points ?? [];
        const count = points.reduce((total, point) => total + point.count, 0);
        const sum = Math.round(points.reduce((total, point) => total + point.avg * point.count, 0));
        return [name, { count, sum }];
      });
      return Object.fromEntries(await Promise.all(rows));
    },
    async firings(ruleId) {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { alerts, pagination } = await ask(
          `/alerts?status=all&rule_id=${ruleId}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        for (const { host, fired_at } of alerts) found.push(`${host} ${fired_at}`);
        cursor = pagination.next_cursor ?? '';
        if (cursor === '') return found.toSorted();
      }
    },
  };
}
