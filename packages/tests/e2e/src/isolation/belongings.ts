import { expect } from 'vitest';
import { type Client, createRule, SEEN, seconds, serviceOf, uniqueName } from '../client.ts';

type Maker = (made: ReadonlyMap<string, string>) => Promise<string>;

/**
 * Functions that create one object of each noun in the API's paths for `owner`, on a host of that name, and return its id.
 * Webhooks are sent to `url`.
 */
export function makersOf(
  owner: Client,
  host: string,
  url = 'https://receiver.example/hook',
): Map<string, Maker> {
  const metric = uniqueName('m').replaceAll('-', '_');
  const first = async (path: string, noun: string): Promise<string> => {
    const find = async () => (await owner.expect(200, 'GET', path))[noun];
    await expect.poll(find, SEEN).not.toEqual([]);
    return (await find())[0].id;
  };
  return new Map<string, Maker>([
    [
      'channels',
      async () => {
        const body = { kind: 'webhook', name: uniqueName(host), config: { url } };
        return (await owner.expect(201, 'POST', '/channels', body)).id;
      },
    ],
    [
      'rules',
      async (made) => {
        const channels = ['pagerduty', made.get('channels')];
        return (await createRule(owner, { name: uniqueName(metric), metric, threshold: 1, channels })).id;
      },
    ],
    [
      'services',
      async () => {
        await owner.ingest({ host, timestamp: seconds(-5), metrics: {}, tags: { owned: host } });
        return (await serviceOf(owner, host)).id;
      },
    ],
    [
      'alerts',
      async () => {
        // A rule applies to samples after its creation, or some seconds later in the distributed topology.
        const send = async () => {
          await owner.ingest({ host, timestamp: seconds(0), metrics: { [metric]: 5 } });
          return (await owner.expect(200, 'GET', `/alerts?host=${host}`)).pagination.total;
        };
        await expect.poll(send, SEEN).toBeGreaterThan(0);
        return first(`/alerts?host=${host}`, 'alerts');
      },
    ],
    ['notifications', (made) => first(`/notifications?alert_id=${made.get('alerts')}`, 'notifications')],
    [
      'investigations',
      async (made) => {
        const { id } = await owner.expect(202, 'POST', '/investigations', {
          service_id: made.get('services'),
        });
        // Until it has ended it changes by itself.
        const ended = async () => (await owner.expect(200, 'GET', `/investigations/${id}`)).completed_at;
        await expect.poll(ended).not.toBeNull();
        return id;
      },
    ],
    [
      'markers',
      async () => {
        const marker = { title: host, selector: { hosts: [host] }, tags: { owned: host } };
        return (await owner.expect(201, 'POST', '/markers', marker)).id;
      },
    ],
    [
      'silences',
      async () => {
        const window = { from: seconds(-60), until: seconds(3_600) };
        return (
          await owner.expect(201, 'POST', '/silences', {
            matchers: { hosts: [uniqueName('nobody')] },
            ...window,
          })
        ).id;
      },
    ],
    [
      'receipts',
      async () => {
        const payload = { host, timestamp: seconds(-10), metrics: {} };
        return (await owner.ingest(payload, { prefer: 'return=representation' })).body.receipt.id;
      },
    ],
    [
      'sessions',
      async () => {
        const { key } = await owner.expect(200, 'GET', '/session');
        const link = await owner.expect(201, 'POST', '/sign-in-links', { name: host, scopes: ['read'] });
        const body = { link: link.url.split('#link=')[1] };
        const made = await owner.ask('POST', '/session', body, { 'x-tidewatch-console': '1' });
        expect(made.body.key?.id, JSON.stringify(made.body)).toBe(key.id);
        return made.body.session.id;
      },
    ],
    ['keys', async () => (await owner.expect(201, 'POST', '/keys', { name: host, scopes: ['read'] })).id],
  ]);
}
