import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';
import { openForFile, openForTest } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, expect, test } from 'vitest';
import { createAnalysisThread } from './analysis-thread.ts';
import type { AnalysisJob } from './analyst.ts';

const organizationId = newId('org');
const serviceId = newId('svc');
const to = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

const { database, sql } = await storeForFile({
  organizations: [organizationId],
  max: 1,
  sampleLayout: 'rows',
});
const analyst = await openForFile(
  createAnalysisThread({ url: database.urlOfRole('tidewatch_investigator'), max: 2 }),
);
beforeAll(async () => {
  await sql`insert into services (organization_id, id, host, first_seen, status_since)
    values (${organizationId}, ${serviceId}, 'web-01', now(), now())`;
  const [block] = await sql<{ id: number }[]>`
    insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
    values (${organizationId}, ${serviceId}, 'host', 'web-01', 0, '{cpu_percent}') returning id`;
  for (const day of [to - DAY_MS, to])
    for (const table of ['samples', 'snapshots'])
      await sql`select ensure_partition(${table}, date_trunc('day', ${day}::timestamptz), date_trunc('day', ${day}::timestamptz) + interval '1 day')`;
  await sql`
    insert into samples ("time", block_id, v0)
    select t, ${block?.id ?? 0}, case when t >= ${to - 10 * MINUTE_MS}::timestamptz then 96 else 20 end + extract(minute from t)::int % 3
    from generate_series(${to - 3 * HOUR_MS}::timestamptz, ${to - MINUTE_MS}::timestamptz, interval '1 minute') t`;
  await sql`
    insert into snapshots ("time", organization_id, service_id, processes)
    select t, ${organizationId}, ${serviceId},
      case when t >= ${to - 10 * MINUTE_MS}::timestamptz
        then '[{"name": "init", "pid": 1, "cpu_percent": 1}, {"name": "job", "pid": 2, "cpu_percent": 75}]'::jsonb
        else '[{"name": "init", "pid": 1, "cpu_percent": 1}]'::jsonb end
    from generate_series(${to - 3 * HOUR_MS}::timestamptz, ${to - MINUTE_MS}::timestamptz, interval '1 minute') t`;
});

function job(fields: Partial<AnalysisJob['facts']> = {}): AnalysisJob {
  const retained = { raw: 0, '1m': 0, '1h': 0, '1d': 0 };
  return {
    facts: {
      organizationId,
      serviceId,
      metric: 'cpu_percent',
      alertIds: [],
      question: null,
      from: to - 40 * MINUTE_MS,
      to,
      retained,
      maxPeers: 50,
      ...fields,
    },
    detectWithinMs: 30_000,
  };
}

function listener() {
  const found: (readonly FindingDraft[])[] = [];
  const stages: string[] = [];
  const failures: unknown[] = [];
  return {
    found,
    stages,
    failures,
    callbacks: {
      found: (_detector: string, drafts: readonly FindingDraft[]) => void found.push(drafts),
      detectorFailed: (_detector: string, error: unknown) => void failures.push(error),
      stage: (stage: string) => void stages.push(stage),
    },
  };
}

test('the analysis thread finds the process that used the processor, on its own database connections', async () => {
  const { callbacks, found, stages, failures } = listener();
  const verdict = await analyst.analyse(job(), callbacks, new AbortController().signal);
  expect(failures).toEqual([]);
  expect(verdict?.conclusion).toBe('root_cause_found');
  expect(verdict?.findings[verdict.rootCause ?? -1]?.subject).toEqual({ kind: 'process', name: 'job' });
  expect(found.length).toBeGreaterThan(0);
  expect(stages).toEqual(['gather', 'detect']);
});

test('the analysis thread runs several jobs at once, one of them aborted and one of a deleted service', async () => {
  const abort = new AbortController();
  const reason = new Error('cancelled');
  const ended = analyst.analyse(job(), listener().callbacks, abort.signal);
  const gone = analyst.analyse(
    job({ serviceId: newId('svc') }),
    listener().callbacks,
    new AbortController().signal,
  );
  const whole = analyst.analyse(job(), listener().callbacks, new AbortController().signal);
  abort.abort(reason);
  await expect(ended).rejects.toBe(reason);
  expect(await gone).toBeNull();
  expect((await whole)?.conclusion).toBe('root_cause_found');
});

test('the analysis thread rejects an analysis whose database cannot be read', async () => {
  const url = database.url.replace(/\/[^/]*$/, '/nothing');
  const broken = await openForTest(createAnalysisThread({ url, max: 1 }));
  await expect(broken.analyse(job(), listener().callbacks, new AbortController().signal)).rejects.toThrow(
    'does not exist',
  );
});
