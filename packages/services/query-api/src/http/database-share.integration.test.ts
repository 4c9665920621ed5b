import { request as httpRequest } from 'node:http';
import { newId } from '@tidewatch/contracts/values/id';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { openForFile } from '@tidewatch/harness/opened';
import { expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const OTHER = newId('org');

const api = await openForFile(openApi());

const sleeping = async () => {
  const [row] = await api.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`;
  return row?.count ?? 0;
};

it.each([
  ['statements', () => api.ownSql`select pg_sleep(30)`],
  ['transactions', () => api.ownSql.begin((tx) => tx`select pg_sleep(30)`)],
])('%s of one organization leave connections to others, and end with the client', async (resource, slow) => {
  const leaving = new AbortController();
  const asked = Array.from({ length: 12 }, () =>
    inOrganization(api.organizationId, async () => slow(), leaving.signal).catch((error: unknown) => error),
  );
  // The pool has four connections, of which two are reserved for other organizations.
  await expect.poll(sleeping).toBe(2);
  const shares = await api.metrics.registry.getSingleMetricAsString('tidewatch_share_waiting');
  expect(shares).toContain(`{resource="database ${resource}"} 10`);
  const others = Array.from({ length: 5 }, () =>
    inOrganization(OTHER, async () => api.ownSql`select 1 as one`),
  );
  for (const rows of await Promise.all(others)) expect(rows).toHaveLength(1);
  const transaction = await inOrganization(OTHER, async () => api.ownSql.begin((tx) => tx`select 1 as one`));
  expect(transaction).toHaveLength(1);
  leaving.abort(new Error('the client is gone'));
  await expect.poll(sleeping).toBe(0);
  for (const outcome of await Promise.all(asked)) expect(outcome).toBeInstanceOf(Error);
  const again = () => inOrganization(api.organizationId, async () => api.ownSql`select 2 as two`);
  expect(await again()).toHaveLength(1);
});

it('a statement for a client that has disconnected is not sent', async () => {
  const reason = new Error('the client is gone');
  const late = inOrganization(
    api.organizationId,
    async () => api.ownSql`select pg_sleep(30)`,
    AbortSignal.abort(reason),
  );
  await expect(late).rejects.toBe(reason);
});

it('a change is completed although its client has disconnected', async () => {
  await api.sql`create function tidewatch.slow_rules() returns trigger language plpgsql as $$
    begin perform pg_sleep(1.5); return new; end $$`;
  await api.sql`create trigger slow before insert on alert_rules for each row execute function tidewatch.slow_rules()`;
  const body = JSON.stringify({ name: 'slow', metric: 'm', condition: 'greater_than', threshold: 1 });
  const request = httpRequest(`${api.url}/api/v1/alerts/rules`, {
    method: 'POST',
    headers: { 'X-API-Key': 'admin', 'Content-Type': 'application/json' },
  });
  request.on('error', () => undefined);
  request.end(body);
  const inserting = async () => {
    const [row] = await api.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where state = 'active' and query like '%insert into alert_rules%'
        and datname = current_database() and pid <> pg_backend_pid()`;
    return row?.count ?? 0;
  };
  await expect.poll(inserting).toBe(1);
  request.destroy();
  const stored = async () => (await api.get('/api/v1/alerts/rules')).body.pagination.total;
  await expect.poll(stored).toBe(1);
});
