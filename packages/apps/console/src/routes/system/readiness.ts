import type { components } from '@tidewatch/api-client/generated/api';
import { problemOf } from '@tidewatch/api-client/problem';
import { api } from '../../api/client.ts';

export type Readiness = components['schemas']['Readiness'];

/** The words of a state of readiness, and the status whose shape it has. */
export const READINESS: Readonly<
  Record<Readiness['status'], { status: string; word: string; meaning: string }>
> = {
  ready: { status: 'healthy', word: 'ready', meaning: 'Everything works.' },
  degraded: {
    status: 'degraded',
    word: 'degraded',
    meaning: 'Samples are stored and requests are answered, but a part does not work.',
  },
  unavailable: {
    status: 'critical',
    word: 'unavailable',
    meaning: 'Samples are not stored or evaluated, or requests are not answered.',
  },
};

/** Reads the readiness of the server; an answer 503 contains the readiness, too. */
export async function readReadiness(): Promise<Readiness> {
  const { data, error, response } = await api.raw.GET('/readyz');
  const readiness = data ?? (error as Readiness | undefined);
  if (readiness?.status !== undefined && readiness.status in READINESS) return readiness;
  throw problemOf(response, JSON.stringify(error ?? ''), Date.now());
}
