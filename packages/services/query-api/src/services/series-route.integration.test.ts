import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

const SERVICE = newId('svc');

const api = await openForFile(openApi());

describe('metrics of a service', () => {
  beforeAll(() => api.service(SERVICE, 'Web-00'));

  const path = `/api/v1/services/${SERVICE}/metrics`;

  it('cover the last hour and all metrics by default', async () => {
    const { body } = await api.get(path);
    expect(body).toMatchObject({
      subject: { kind: 'host', name: 'Web-00' },
      step_seconds: 60,
      tier: '1m',
      series: [],
    });
    expect([body.from, body.to]).toEqual([
      new Date(NOW - 3_600_000).toISOString(),
      new Date(NOW).toISOString(),
    ]);
  });

  it.each([
    ['step=0', '/step'],
    ['step=fast', '/step'],
    ['step=1&from=2026-01-01T00:00:00Z', '/step'],
    ['from=yesterday', '/from'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '/to'],
    ['from=2030-01-01T00:00:00Z', '/from'],
    ['subject=disk', '/subject'],
  ])('%s is 422 at %s', async (query, fault) => {
    const { status, body } = await api.get(`${path}?${query}`);
    expect([status, body.errors[0].in, body.errors[0].path]).toEqual([422, 'query', fault]);
  });
});
