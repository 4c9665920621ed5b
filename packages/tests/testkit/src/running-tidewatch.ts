import { randomBytes } from 'node:crypto';

/** An organization that a suite uses alone, in a Tidewatch that others may use too. */
export interface OwnOrganization {
  /** An admin key of the organization. */
  key: string;
}

/**
 * Creates an organization in a running Tidewatch, so that a suite sees no data of others. `operatorKey` needs the scope
 * `operator`. Rejects if Tidewatch refuses or does not answer.
 */
export async function createOrganization(url: string, operatorKey: string): Promise<OwnOrganization> {
  const response = await fetch(new URL('/api/v1/organizations', url), {
    method: 'POST',
    headers: { 'X-API-Key': operatorKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: `testkit ${randomBytes(4).toString('hex')}` }),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  if (response.status !== 201) throw new Error(await explain(response, url));
  const { key } = (await response.json()) as { key: { secret: string } };
  return { key: key.secret };
}

async function explain(response: Response, url: string): Promise<string> {
  const refusal = `${url} refuses to create an organization for the test: ${response.status} ${await response.text()}`;
  return response.status === 401 || response.status === 403
    ? `${refusal}. TIDEWATCH_TEST_KEY has to be a key with the scope operator, such as the admin key of the first start.`
    : refusal;
}
