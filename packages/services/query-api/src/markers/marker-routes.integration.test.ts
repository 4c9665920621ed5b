import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const MARKERS = '/api/v1/markers';
const at = (minutes: number) => new Date(NOW + minutes * MINUTE_MS).toISOString();

const api = await openForFile(openApi());

describe('markers', () => {
  const make = (body: object, key = 'admin') => api.call('POST', MARKERS, { body, key });

  it('are created, read and deleted, and each change is in the audit log', async () => {
    const body = {
      title: 'api 1.4.2 deployed',
      at: at(-5),
      selector: { hosts: ['web-*'], tags: { role: 'api' } },
      tags: { version: '1.4.2' },
    };
    const made = await make(body);
    const { id } = made.body;
    expect([made.status, made.headers.get('location')]).toEqual([201, `${MARKERS}/${id}`]);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^mrk_[0-9a-f]{32}$/),
      ...body,
      created_at: at(0),
      created_by: { key_id: expect.stringMatching(/^key_/), name: 'admin' },
    });
    const read = await api.get(`${MARKERS}/${id}`);
    expect([read.body, read.headers.get('etag')]).toEqual([made.body, made.headers.get('etag')]);
    for (const method of ['GET', 'DELETE'])
      expect((await api.call(method, `${MARKERS}/${id}`, { key: 'stranger' })).status).toBe(404);
    expect((await api.call('DELETE', `${MARKERS}/${id}`, { key: 'reader' })).status).toBe(403);
    expect((await api.call('DELETE', `${MARKERS}/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'])
      expect((await api.call(method, `${MARKERS}/${id}`)).status).toBe(404);
    const { audit } = (await api.get(`/api/v1/audit?object_id=${id}`)).body;
    expect(audit.map(({ action, before, after }: Body) => [action, before, after])).toEqual([
      ['marker.deleted', made.body, null],
      ['marker.created', null, made.body],
    ]);
  });

  it('are by default of now, of all hosts and without tags', async () => {
    expect((await make({ title: 'restart' })).body).toMatchObject({ at: at(0), selector: {}, tags: {} });
  });

  it('are listed by time, newest first, by cursor and by offset', async () => {
    await api.sql`delete from markers`;
    for (const minutes of [-30, -10, -20, -10]) await make({ title: `${minutes}`, at: at(minutes) });
    const titles = async (query: string, by: 'offset' | 'cursor') => {
      const { seen, total } = await api.walk(`${MARKERS}?${query}`, 'markers', by, 1);
      expect(seen).toHaveLength(total);
      return seen.map(({ title }) => title);
    };
    for (const by of ['offset', 'cursor'] as const) {
      expect(await titles('', by)).toEqual(['-10', '-10', '-20', '-30']);
      expect(await titles(`from=${at(-20)}&to=${at(-10)}`, by)).toEqual(['-20']);
      expect(await titles('sort=created_at', by)).toEqual(['-30', '-10', '-20', '-10']);
    }
    expect((await api.get(MARKERS, { key: 'stranger' })).body.pagination.total).toBe(0);
  });

  it.each<[string, object, string, string]>([
    ['without a title', {}, '/title', 'required'],
    ['of the day after tomorrow', { title: 'x', at: at(25 * 60) }, '/at', 'out_of_range'],
    ['with an empty pattern', { title: 'x', selector: { hosts: [''] } }, '/selector/hosts/0', 'too_short'],
    ['with a tag that is no text', { title: 'x', tags: { version: 1 } }, '/tags/version', 'invalid_type'],
    ['with more than is known', { title: 'x', colour: 'red' }, '/colour', 'unknown_field'],
  ])('one %s is 422', async (_name, body, path, code) => {
    const answer = await make(body);
    expect([answer.status, answer.body.errors]).toMatchObject([422, [{ in: 'body', path, code }]]);
  });

  it('are created with the scope write alone, and an unknown id is 404', async () => {
    expect((await make({ title: 'x' }, 'reader')).body.code).toBe('scope_missing');
    for (const id of ['mrk_x', newId('mrk')]) expect((await api.get(`${MARKERS}/${id}`)).status).toBe(404);
  });
});
