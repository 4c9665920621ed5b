import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from './http.ts';

export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Received>;

/** Objects that exist, so that requests reach past validation. */
export interface World {
  /** An id that was seen; that of a new object where all are gone. */
  any(prefix: string, pick: number): Promise<string | undefined>;
  /** Makes some of each kind, so that no endpoint is without an id. */
  seed(): Promise<void>;
  /** The id of a new object where one can be made; else one that was seen. */
  fresh(prefix: string, pick: number): Promise<string | undefined>;
  /** Remembers the ids of an answer; of investigations that it put into the queue none is left there. */
  learn(answer: Received): Promise<void>;
  /** The request that an object was made for was answered: what was made along with it goes. */
  answered(id: string): Promise<void>;
  /** The object is gone. */
  forget(id: string): void;
}

const MAX_IDS = 200;
const SEEDED = 3;
const QUEUED = 6;
const NOUNS: Record<string, string> = {
  ...{ rul: 'alerts/rules', chn: 'channels', sil: 'silences', key: 'keys', svc: 'services' },
  mrk: 'markers',
};
export const FIRING_METRIC = 'fuzz_fires';

export const unique = (prefix: string) => `${prefix}-${randomBytes(5).toString('hex')}`;

/** `own` are ids that no request may touch, such as the key's. */
export function createWorld(ask: Ask, receiver: string, own: ReadonlySet<string>): World {
  const pools = new Map<string, string[]>();
  /** By the investigation that shall still wait: those that are to keep it waiting. */
  const ahead = new Map<string, string[]>();
  let rule: string | undefined;

  function add(id: string): void {
    if (own.has(id) || id === rule) return;
    const prefix = id.slice(0, 3);
    const pool = pools.get(prefix) ?? [];
    pools.set(prefix, pool);
    if (pool.includes(id)) return;
    pool.push(id);
    const noun = NOUNS[prefix];
    if (pool.length <= MAX_IDS) return;
    const oldest = pool.shift();
    if (noun === undefined || oldest === undefined) return;
    void ask('DELETE', `/api/v1/${noun}/${oldest}`).catch(() => undefined);
  }

  async function made(path: string, body: unknown): Promise<string | undefined> {
    const answer = await ask('POST', path, body);
    if (answer.status !== 201) return undefined;
    return String(JSON.parse(answer.text).id);
  }

  async function found(path: string, noun: string): Promise<string | undefined> {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const answer = await ask('GET', path);
      const [first] = answer.status === 200 ? JSON.parse(answer.text)[noun] : [];
      if (first !== undefined) return first.id;
      await sleep(50);
    }
    return undefined;
  }

  /** A hundred may wait, and each takes a second or more on a busy machine: what nobody needs makes room. */
  async function cancel(investigations: readonly string[]): Promise<void> {
    const asked = investigations.map((id) => ask('POST', `/api/v1/investigations/${id}/cancel`));
    await Promise.allSettled(asked);
  }

  async function service(metrics: Record<string, number>): Promise<{ host: string; id: string | undefined }> {
    const host = unique('made');
    await ask('POST', '/api/v1/ingest', { host, metrics });
    return { host, id: await found(`/api/v1/services?q=${host}`, 'services') };
  }

  /** Fires the one rule that fires, whose channel is the receiver. */
  async function alert(): Promise<string | undefined> {
    if (rule === undefined || (await ask('GET', `/api/v1/alerts/rules/${rule}`)).status !== 200) {
      rule = await made('/api/v1/alerts/rules', {
        ...{ name: unique('fires'), metric: FIRING_METRIC, condition: 'greater_than', threshold: 0 },
        ...{ duration_minutes: 0, channels: [await channel()] },
      });
    }
    const { host } = await service({ [FIRING_METRIC]: 1 });
    return found(`/api/v1/alerts?host=${host}`, 'alerts');
  }

  function channel(): Promise<string | undefined> {
    const config = { url: `${receiver}/made` };
    return made('/api/v1/channels', { kind: 'webhook', name: unique('made'), config });
  }

  const makers: Record<string, () => Promise<string | undefined>> = {
    svc: async () => (await service({ cpu_percent: 1 })).id,
    alr: alert,
    rul: () =>
      made('/api/v1/alerts/rules', {
        ...{ name: unique('made'), metric: unique('m'), condition: 'less_than', threshold: 1 },
      }),
    chn: channel,
    ntf: async () => found(`/api/v1/notifications?alert_id=${await alert()}`, 'notifications'),
    async rcp() {
      const payload = { host: unique('told'), metrics: {} };
      const answer = await ask('POST', '/api/v1/ingest', payload, { prefer: 'return=representation' });
      return answer.status === 200 ? JSON.parse(answer.text).receipt?.id : undefined;
    },
    sil: () =>
      made('/api/v1/silences', {
        ...{ matchers: { hosts: [unique('nobody')] }, comment: 'made' },
        ...{ from: new Date().toISOString(), until: new Date(Date.now() + 3_600_000).toISOString() },
      }),
    mrk: () => made('/api/v1/markers', { title: unique('made'), selector: { hosts: [unique('nobody')] } }),
    async inv() {
      const body = { service_id: (await service({ cpu_percent: 1 })).id };
      const post = () => ask('POST', '/api/v1/investigations', body);
      // The last waits for the others, so that it can be cancelled: one alone ends in no time.
      const answers = await Promise.all(Array.from({ length: QUEUED }, post));
      const taken = answers.filter(({ status }) => status === 202).map(({ text }) => JSON.parse(text));
      const ids = taken.map(({ id }): string => id).sort();
      const last = ids.pop();
      if (last !== undefined) ahead.set(last, ids);
      return last;
    },
    key: () => made('/api/v1/keys', { name: unique('made'), scopes: ['read'] }),
  };

  const known = (prefix: string, pick: number) => {
    const pool = pools.get(prefix) ?? [];
    return pool[pick % Math.max(1, pool.length)];
  };

  return {
    async any(prefix, pick) {
      const seen = known(prefix, pick);
      if (seen !== undefined) return seen;
      const id = await makers[prefix]?.();
      if (id !== undefined) add(id);
      return id;
    },
    async fresh(prefix, pick) {
      return (await makers[prefix]?.()) ?? known(prefix, pick);
    },
    async seed() {
      for (const make of Object.values(makers)) {
        for (let count = 0; count < SEEDED; count += 1) {
          const id = await make();
          if (id === undefined) continue;
          add(id);
          await this.answered(id);
        }
      }
    },
    async learn({ status, text, headers }) {
      if (status >= 300 || !headers['content-type']?.includes('json')) return;
      const ids = [...text.slice(0, 20_000).matchAll(/"id":"([a-z]{3}_[0-9a-f]{32})"/g)].map(
        ([, id = '']) => id,
      );
      for (const id of ids) add(id);
      if (status === 202) await cancel(ids.filter((id) => id.startsWith('inv_')));
    },
    async answered(id) {
      const others = ahead.get(id) ?? [];
      ahead.delete(id);
      await cancel(others);
    },
    forget(id) {
      const pool = pools.get(id.slice(0, 3));
      const at = pool?.indexOf(id) ?? -1;
      if (at >= 0) pool?.splice(at, 1);
    },
  };
}
