import { randomBytes } from 'node:crypto';
import type { Ask } from './world.ts';

/** Another organization, whose belongings no answer may tell of. */
export interface OtherOrganization {
  /** Texts that stand in everything that it has. */
  canaries: string[];
  /** Ids of its objects. */
  ids: string[];
}

/** Makes an organization with one of everything, whose name alone an operator may read. `askAs` asks with a key. */
export async function makeOtherOrganization(
  ask: Ask,
  askAs: (key: string) => Ask,
  receiver: string,
): Promise<OtherOrganization> {
  const canary = `canary${randomBytes(8).toString('hex')}`;
  const made = await ask('POST', '/api/v1/organizations', { name: 'the other one' });
  if (made.status !== 201) throw new Error(`an organization could not be made: ${made.status} ${made.text}`);
  const { organization, key } = JSON.parse(made.text);
  const theirs = askAs(key.secret);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const answers = [
    await theirs('POST', '/api/v1/ingest', {
      host: canary,
      metrics: { [canary]: 1 },
      tags: { [canary]: canary },
    }),
    await theirs('POST', '/api/v1/alerts/rules', {
      ...{ name: canary, metric: canary, condition: 'greater_than', threshold: 0, duration_minutes: 0 },
    }),
    await theirs('POST', '/api/v1/channels', {
      ...{ kind: 'webhook', name: canary, config: { url: `${receiver}/${canary}` } },
    }),
    await theirs('POST', '/api/v1/silences', {
      ...{ matchers: { hosts: [canary] }, comment: canary, from: new Date().toISOString(), until },
    }),
    await theirs('POST', '/api/v1/markers', {
      ...{ title: canary, selector: { hosts: [canary] }, tags: { [canary]: canary } },
    }),
    await theirs('POST', '/api/v1/ingest', { host: canary, metrics: { [canary]: 2 } }),
    await theirs('GET', '/api/v1/services'),
  ];
  const failed = answers.find(({ status }) => status >= 400);
  if (failed !== undefined) throw new Error(`the other organization has not everything: ${failed.text}`);
  const ids = answers.flatMap(({ text }) =>
    [...text.matchAll(/"id":"([a-z]{3}_[0-9a-f]{32})"/g)].map(([, id]) => id as string),
  );
  return { canaries: [canary, key.secret], ids: [...ids, organization.id, key.id] };
}
