import { createTidewatchClient } from '@tidewatch/api-client/client';
import { expect, it } from 'vitest';
import { sessionClient } from './session-client.ts';

const ALERT = '/api/v1/alerts/{id}/acknowledge';
const init = { params: { path: { id: 'alr_1' } }, body: { comment: 'Disk cleaned' } } as const;

const answer = (status: number, body: object) => Response.json(body, { status });
const refusal = (status: number, code: string) => answer(status, { status, code, title: code, detail: code });

/** A client of a server with these answers, the last for all further requests, and of a user who confirms or does not. */
function clientOf(isConfirmed: boolean, ...answers: Response[]) {
  const asked: string[] = [];
  const bodies: string[] = [];
  const server: typeof fetch = async (_input, request) => {
    bodies.push(new TextDecoder().decode(request?.body as Uint8Array | undefined));
    return (answers.length > 1 ? answers.shift() : answers[0]?.clone()) as Response;
  };
  const client = sessionClient(
    createTidewatchClient({ url: 'http://console.invalid', retries: 0, fetch: server }),
    {
      epoch: () => 7,
      signedIn: async (sentIn) => void asked.push(`signedIn after ${sentIn}`),
      confirmed: async () => {
        asked.push('confirmed');
        return isConfirmed;
      },
    },
  );
  return { client, asked, bodies };
}

it('sends a request again after the sign-in, with its body', async () => {
  const { client, asked, bodies } = clientOf(true, refusal(401, 'key_missing'), answer(200, { id: 'alr_1' }));
  await expect(client.post(ALERT, init)).resolves.toEqual({ id: 'alr_1' });
  expect(asked).toEqual(['signedIn after 7']);
  expect(bodies.map((body) => JSON.parse(body))).toEqual([init.body, init.body]);
});

it('continues after a confirmation', async () => {
  const { client, asked } = clientOf(true, refusal(403, 'confirmation_needed'), answer(200, { id: 'alr_1' }));
  await expect(client.post(ALERT, init)).resolves.toEqual({ id: 'alr_1' });
  expect(asked).toEqual(['confirmed']);
});

it('fails as the server refused it where the user does not confirm', async () => {
  const { client } = clientOf(false, refusal(403, 'confirmation_needed'));
  await expect(client.post(ALERT, init)).rejects.toMatchObject({ code: 'confirmation_needed' });
});

it('passes other refusals on, and asks nobody', async () => {
  const { client, asked } = clientOf(true, refusal(403, 'scope_missing'));
  await expect(client.get('/api/v1/alerts')).rejects.toMatchObject({ code: 'scope_missing' });
  expect(asked).toEqual([]);
});
