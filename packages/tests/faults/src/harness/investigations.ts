import { createApi, listAll } from '@tidewatch/bench/api';
import type { FaultContext } from '../fault-case.ts';
import { waitFor } from './wait.ts';

export interface Asked {
  /** Requests the investigation of another alert, of another host; returns its id. */
  next(): Promise<string>;
}

const ASKED_WITHIN_MS = 60_000;

/** Draws alerts of the load at random, to be investigated. Waits until there are at least `count` alerts. */
export async function drawInvestigations(
  { installation, random }: Pick<FaultContext, 'installation' | 'random'>,
  count: number,
): Promise<Asked> {
  const api = createApi(installation.one('query-api').url, installation.key);
  let left: string[] = [];
  await waitFor(`${count} hosts have alerts`, ASKED_WITHIN_MS, async () => {
    const alerts = await listAll<{ id: string; service_id: string }>(api, '/alerts?status=all', 'alerts');
    left = [...new Map(alerts.map(({ id, service_id }) => [service_id, id])).values()];
    return left.length >= count;
  });
  return {
    async next() {
      const [alertId] = left.splice(Math.floor(random() * left.length), 1);
      let id = '';
      // Retries, because the database may be recovering.
      await waitFor('an investigation is accepted', ASKED_WITHIN_MS, async () => {
        try {
          ({ id } = await api.post<{ id: string }>('/investigations', { alert_id: alertId }, 202));
          return true;
        } catch {
          return false;
        }
      });
      return id;
    },
  };
}
