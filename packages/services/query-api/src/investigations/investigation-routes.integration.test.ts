import { isServed, type PageName } from '@tidewatch/contracts/console/paths';
import { eventSchema } from '@tidewatch/contracts/events/event';
import {
  investigationItemSchema,
  investigationSchema,
} from '@tidewatch/contracts/investigations/investigation';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const INVESTIGATIONS = '/api/v1/investigations';
/** A link to a page, if the console has that page. */
const linkTo = (page: PageName, path: string) => (isServed(page) ? `https://tidewatch.example${path}` : null);
const at = (ms: number) => new Date(NOW + ms).toISOString();
const SERVICE = newId('svc');
const [FINDING, EVIDENCE] = [newId('fnd'), newId('evd')];

const api = await openForFile(openApi());

beforeAll(() => api.service(SERVICE, 'web-01'));

/** An alert that fired a minute ago after it was pending for five minutes. */
async function makeAlert(investigation: string | null = null): Promise<string> {
  const id = newId('alr');
  await api.sql`
    insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name, status,
      state, severity, metric, condition, summary, pending_since, fired_at, context, investigation_id)
    values (${api.organizationId}, ${id}, ${newId('rul')}, 'CPU', 1, ${SERVICE}, 'web-01', 'host', 'web-01', 'active',
      'firing', 'critical', 'cpu_percent', 'greater_than', 'web-01: cpu_percent is high.', ${NOW - 6 * MINUTE_MS},
      ${NOW - MINUTE_MS}, '{}', ${investigation})`;
  return id;
}

const ask = (body: object, key = 'admin') => api.call('POST', INVESTIGATIONS, { body, key });
const queued = async (): Promise<Body> => (await ask({ service_id: SERVICE })).body;
const act = (id: string, verb: string, body?: object, key = 'admin') =>
  api.call('POST', `${INVESTIGATIONS}/${id}/${verb}`, { key, ...(body && { body }) });
const actionsOf = async (id: string) =>
  (await api.get(`/api/v1/audit?object_id=${id}`)).body.audit.map(({ action }: Body) => action);

/** Writes the result of an investigation as the investigator does. */
async function complete(id: string, conclusion: 'root_cause_found' | 'inconclusive'): Promise<void> {
  const found = conclusion === 'root_cause_found';
  const finding = {
    id: FINDING,
    kind: 'process',
    title: '"stress" took the processor.',
    description: 'It did.',
    score: 0.93,
    service_id: SERVICE,
    host: 'web-01',
    subject: { kind: 'process', name: 'stress' },
    metric: 'cpu_percent',
    baseline: { median: 22, min: 18, max: 27, count: 1440, from: at(-DAY_MS), to: at(-HOUR_MS) },
    observed: null,
    started_at: at(-6 * MINUTE_MS),
    hosts: [],
    unaffected_hosts: [],
    evidence_ids: [EVIDENCE],
  };
  const analysis = {
    summary: 'It was "stress".',
    root_cause: found ? 'stress' : null,
    details_markdown: '',
    source: 'statistics',
    root_cause_finding_id: found ? FINDING : null,
    model: null,
    model_status: 'not_configured',
    model_reason: null,
    claims_dropped: 0,
  };
  const usage = { model_calls: 0, tool_calls: 0, input_tokens: 0, output_tokens: 0, seconds: 1.25 };
  const { sql } = api;
  await sql`
    update investigations set status = 'completed', conclusion = ${conclusion}, confidence = 'high', started_at = ${NOW},
      completed_at = ${NOW + 1_000}, findings = ${sql.json([finding])}, analysis = ${sql.json(analysis)},
      usage = ${sql.json(usage)}
    where id = ${id}`;
  await sql`
    insert into investigation_evidence (organization_id, investigation_id, id, ref, query, window_from, window_to, stats, points)
    values (${api.organizationId}, ${id}, ${EVIDENCE}, 'host:web-01/cpu_percent', 'GET /…', ${NOW - HOUR_MS}, ${NOW},
      '{"z": 38.2, "of": "web-01"}', '[{"t": "2026-11-21T14:31:00.000Z", "value": 96.2}]')`;
}

describe('a requested investigation', () => {
  it('of an alert uses its window, metric and severity, and becomes its investigation where it has none', async () => {
    const alert = await makeAlert();
    const { status, headers, body } = await ask({ alert_id: alert });
    expect([status, headers.get('location')]).toEqual([202, `${INVESTIGATIONS}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-f]{32}$/),
      title: 'web-01: cpu_percent is high.',
      status: 'queued',
      conclusion: null,
      confidence: null,
      severity: 'critical',
      service_id: SERVICE,
      host: 'web-01',
      metric: 'cpu_percent',
      alert_ids: [alert],
      storm_alerts: 0,
      from: at(-36 * MINUTE_MS),
      to: at(0),
      findings: [],
      created_at: at(0),
      completed_at: null,
      trigger: 'request',
      question: null,
      started_at: null,
      created_by: { key_id: expect.stringMatching(/^key_/), name: 'admin' },
      failure: null,
      analysis: null,
      timeline: [],
      recommendations: [],
      evidence: [],
      usage: null,
      feedback: null,
    });
    const read = await api.get(`${INVESTIGATIONS}/${body.id}`);
    expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')]);
    const investigationOf = async (id: string) =>
      (await api.get(`/api/v1/alerts/${id}`)).body.investigation_id;
    expect(await investigationOf(alert)).toBe(body.id);
    const again = (await ask({ alert_id: alert, question: 'Again?' })).body;
    expect([again.title, again.question, again.id === body.id]).toEqual([body.title, 'Again?', false]);
    expect(await investigationOf(alert)).toBe(body.id);
    expect(await actionsOf(body.id)).toEqual(['investigation.requested']);
  });

  it('of a service covers its last hour unless another window is given, which may not end in the future', async () => {
    const plain = await queued();
    expect(plain).toMatchObject({
      from: at(-HOUR_MS),
      to: at(0),
      severity: null,
      metric: null,
      title: 'web-01',
    });
    const more = { service_id: SERVICE, metric: 'cpu_percent', from: at(-5 * HOUR_MS), to: at(HOUR_MS) };
    expect((await ask(more)).body).toMatchObject({
      from: at(-5 * HOUR_MS),
      to: at(0),
      title: 'web-01: cpu_percent',
    });
    const question = { service_id: SERVICE, to: at(-HOUR_MS), question: 'Why?' };
    expect((await ask(question)).body).toMatchObject({
      from: at(-2 * HOUR_MS),
      to: at(-HOUR_MS),
      title: 'Why?',
    });
  });

  it.each<[string, object, string, string]>([
    ['nothing', {}, '/alert_id', 'required'],
    ['both', { alert_id: newId('alr'), service_id: SERVICE }, '/service_id', 'conflicting'],
    ['an alert with another metric', { alert_id: newId('alr'), metric: 'm' }, '/metric', 'conflicting'],
    ['what is no id', { alert_id: 'x' }, '/alert_id', 'invalid_value'],
    ['an unknown alert', { alert_id: newId('alr') }, '/alert_id', 'unknown_alert'],
    ['an unknown service', { service_id: newId('svc') }, '/service_id', 'unknown_service'],
    [
      'a window that ends as it begins',
      { service_id: SERVICE, from: at(-HOUR_MS), to: at(-HOUR_MS) },
      '/from',
      'out_of_range',
    ],
    ['the future', { service_id: SERVICE, from: at(HOUR_MS), to: at(2 * HOUR_MS) }, '/from', 'out_of_range'],
    ['two days', { service_id: SERVICE, from: at(-48 * HOUR_MS) }, '/from', 'out_of_range'],
    ['an empty question', { service_id: SERVICE, question: '' }, '/question', 'too_short'],
    ['more than is known', { service_id: SERVICE, deep: true }, '/deep', 'unknown_field'],
  ])('about %s is 422', async (_name, body, path, code) => {
    const answer = await ask(body);
    expect([answer.status, answer.body.errors]).toMatchObject([422, [{ in: 'body', path, code }]]);
  });

  it('needs the scope write, and an alert or service of the organization', async () => {
    expect((await ask({ service_id: SERVICE }, 'reader')).body.code).toBe('scope_missing');
    const alert = await makeAlert();
    for (const body of [{ service_id: SERVICE }, { alert_id: alert }])
      expect((await ask(body, 'stranger')).status).toBe(422);
  });

  it('is refused while the maximum number of investigations wait', async () => {
    await api.sql`
      insert into investigations (organization_id, id, created_at, trigger, service_id, host, title, window_from, window_to,
        updated_at)
      select ${api.organizationId}, 'inv_' || lpad(to_hex(n), 32, '0'), ${NOW}, 'request', ${SERVICE}, 'web-01', 'many',
        ${NOW - HOUR_MS}, ${NOW}, ${NOW} from generate_series(1, 50) n`;
    const { status, headers, body } = await ask({ service_id: SERVICE });
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'investigations_queued', '5']);
    await api.sql`delete from investigations where title = 'many'`;
    expect((await ask({ service_id: SERVICE })).status).toBe(202);
  });
});

describe('cancelling', () => {
  it.each(['queued', 'running'])(
    'ends an investigation that is %s, and has no effect when repeated',
    async (status) => {
      const { id } = await queued();
      await api.sql`
      update investigations set status = ${status}, claimed_by = 'somebody', claimed_until = now() where id = ${id}`;
      const first = await act(id, 'cancel');
      expect([first.status, first.body.status, first.body.completed_at]).toEqual([200, 'cancelled', at(0)]);
      expect((await act(id, 'cancel')).body).toEqual(first.body);
      const [row] = await api.sql`select claimed_by, claimed_until from investigations where id = ${id}`;
      expect(row).toEqual({ claimed_by: null, claimed_until: null });
      const events = await api.eventsOf(id);
      expect(events.map(({ type, data }) => [type, data.investigation.status, data.links])).toEqual([
        [
          ...['investigation.cancelled', 'cancelled'],
          {
            investigation: linkTo('investigation', `/investigations/${id}`),
            service: linkTo('host', `/services/${SERVICE}`),
          },
        ],
      ]);
      expect(eventSchema.safeParse(events[0]).error).toBeUndefined();
      expect(await actionsOf(id)).toEqual(['investigation.cancelled', 'investigation.requested']);
    },
  );

  it.each(['completed', 'failed'])('is 409 for an investigation that has %s', async (status) => {
    const { id } = await queued();
    await api.sql`update investigations set status = ${status} where id = ${id}`;
    expect((await act(id, 'cancel')).body).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('is 404 for another organization', async () => {
    const { id } = await queued();
    expect((await act(id, 'cancel', undefined, 'stranger')).status).toBe(404);
    expect((await act(id, 'cancel', undefined, 'reader')).status).toBe(403);
    for (const unknown of ['inv_x', newId('inv')]) expect((await act(unknown, 'cancel')).status).toBe(404);
  });
});

describe('feedback', () => {
  it('is stored with its author, and a later one replaces it', async () => {
    const { id } = await queued();
    await complete(id, 'root_cause_found');
    const first = await act(id, 'feedback', { helpful: true });
    expect([first.status, first.body.feedback]).toEqual([
      200,
      {
        helpful: true,
        actual_root_cause: null,
        comment: null,
        at: at(0),
        by: { key_id: expect.any(String), name: 'admin' },
      },
    ]);
    const said = { helpful: false, actual_root_cause: 'the intern', comment: 'not even close' };
    await act(id, 'feedback', said);
    expect((await api.get(`${INVESTIGATIONS}/${id}`)).body.feedback).toMatchObject(said);
    expect((await actionsOf(id)).slice(0, 2)).toEqual(['investigation.rated', 'investigation.rated']);
  });

  it.each<[object, string, string]>([
    [{ helpful: 'very' }, '/helpful', 'invalid_type'],
    [{}, '/helpful', 'required'],
    [{ helpful: true, comment: 'x'.repeat(2_001) }, '/comment', 'too_long'],
  ])('%j is 422', async (body, path, code) => {
    const { id } = await queued();
    expect((await act(id, 'feedback', body)).body).toMatchObject({ status: 422, errors: [{ path, code }] });
  });

  it('on an unknown finding is 404', async () => {
    expect((await act(newId('inv'), 'feedback', { helpful: true })).status).toBe(404);
    const { id } = await queued();
    expect((await act(id, 'feedback', { helpful: true }, 'stranger')).status).toBe(404);
    expect((await act(id, 'feedback', { helpful: true }, 'reader')).status).toBe(403);
  });
});

describe('investigations', () => {
  const ids: string[] = [];
  let alert: string;

  beforeAll(async () => {
    await api.sql`delete from investigations`;
    alert = await makeAlert();
    for (let count = 0; count < 7; count++) {
      api.clock.now = NOW + Math.floor(count / 2) * MINUTE_MS;
      ids.push((await ask(count === 3 ? { alert_id: alert } : { service_id: SERVICE })).body.id);
    }
    api.clock.now = NOW;
    await complete(ids[0] as string, 'root_cause_found');
    await complete(ids[1] as string, 'inconclusive');
    await act(ids[2] as string, 'cancel');
  });

  it('are returned whole, with the evidence that they cite', async () => {
    const { body } = await api.get(`${INVESTIGATIONS}/${ids[0]}`);
    expect(investigationSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      status: 'completed',
      conclusion: 'root_cause_found',
      usage: { seconds: 1.25 },
    });
    expect(body.evidence).toEqual([
      {
        id: EVIDENCE,
        query: 'GET /…',
        from: at(-HOUR_MS),
        to: at(0),
        stats: { z: 38.2, of: 'web-01' },
        points: [{ t: '2026-11-21T14:31:00.000Z', value: 96.2 }],
      },
    ]);
    const some = await api.get(`${INVESTIGATIONS}/${ids[0]}?fields=id,analysis.summary`);
    expect(some.body).toEqual({ id: ids[0], analysis: { summary: 'It was "stress".' } });
    const unchanged = { 'If-None-Match': some.headers.get('etag') };
    const path = `${INVESTIGATIONS}/${ids[0]}?fields=id,analysis.summary`;
    expect((await api.get(path, { headers: unchanged })).status).toBe(304);
  });

  it.each<[string, (index: number) => boolean]>([
    ['', () => true],
    ['status=completed', (index) => index < 2],
    ['status=failed', () => false],
    ['conclusion=inconclusive', (index) => index === 1],
    ['severity=critical', (index) => index === 3],
    [`service_id=${SERVICE}&status=cancelled`, (index) => index === 2],
    [`service_id=${newId('svc')}`, () => false],
    ['host=web-01', () => true],
    ['host=web-02', () => false],
    [`from=${at(MINUTE_MS)}&to=${at(3 * MINUTE_MS)}`, (index) => index >= 2 && index < 6],
  ])('are listed by %s, newest first, by either way of paging', async (query, matches) => {
    const wanted = ids
      .filter((_, index) => matches(index))
      .toSorted()
      .toReversed();
    for (const by of ['offset', 'cursor'] as const) {
      const { seen, total } = await api.walk(`${INVESTIGATIONS}?${query}`, 'investigations', by, 2);
      expect([total, seen.map(({ id }) => id)]).toEqual([wanted.length, wanted]);
      for (const item of seen) expect(investigationItemSchema.strict().safeParse(item).error).toBeUndefined();
    }
  });

  it('are filtered by their alerts, and listed in reverse order', async () => {
    const { body } = await api.get(`${INVESTIGATIONS}?alert_id=${alert}`);
    expect(body.investigations.map(({ id }: Body) => id)).toEqual([ids[3]]);
    const { seen } = await api.walk(`${INVESTIGATIONS}?sort=created_at`, 'investigations', 'cursor', 3);
    expect(seen.map(({ id }) => id)).toEqual(ids.toSorted());
  });

  it('are exported as NDJSON', async () => {
    const csv = await api.get(`${INVESTIGATIONS}?format=csv&fields=id,conclusion&status=completed`);
    expect(csv.text.trim().split('\r\n')).toEqual([
      ...['id,conclusion', `${ids[1]},inconclusive`, `${ids[0]},root_cause_found`],
    ]);
    const lines = await api.get(INVESTIGATIONS, { headers: { Accept: 'application/x-ndjson' } });
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(ids.toSorted().toReversed());
  });

  it.each([
    'status=solved',
    'conclusion=x',
    'severity=x',
    'limit=101',
    'service_id=',
    'alert_id=',
    'sort=host',
  ])('%s is 422', async (query) => {
    expect((await api.get(`${INVESTIGATIONS}?${query}`)).status).toBe(422);
  });

  it('are hidden from other organizations', async () => {
    expect((await api.get(INVESTIGATIONS, { key: 'stranger' })).body.pagination.total).toBe(0);
    expect((await api.get(`${INVESTIGATIONS}/${ids[0]}`, { key: 'stranger' })).status).toBe(404);
    expect((await api.get(INVESTIGATIONS, { key: 'agent' })).status).toBe(403);
  });
});
