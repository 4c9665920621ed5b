import { type Endpoint, examplesOf } from '@tidewatch/harness/api-document/api-document';
import { asSent } from '@tidewatch/harness/api-document/example-request';
import fc from 'fast-check';
import { uniqueName } from '../client.ts';
import { type Breakage, breakageArbitrary, breakBody } from './breakage.ts';
import type { Sent } from './http.ts';

/**
 * Describes an invalid request: which documented body of an endpoint is sent, whose objects it names, and what is made
 * invalid.
 */
export interface SpoiledRequest {
  form: number;
  isForeign: boolean;
  breakages: Breakage[];
}

export const spoiledRequest: fc.Arbitrary<SpoiledRequest> = fc.record({
  form: fc.nat(20),
  isForeign: fc.boolean(),
  breakages: fc.array(breakageArbitrary, { minLength: 1, maxLength: 2 }),
});

export interface Surroundings {
  key: string;
  /** The receiver of all addresses in bodies. */
  receiver: string;
  /** The id of an object of this noun, such as `rules`; undefined for a noun that the suite does not create. */
  idOf(noun: string): Promise<string> | undefined;
  /** The existing objects, by the prefixes of their ids. */
  ids: ReadonlyMap<string, string>;
}

/** Makes the request as it is sent. */
export async function spell(
  { method, path, operation }: Endpoint,
  { form, breakages }: SpoiledRequest,
  { key, receiver, idOf, ids }: Surroundings,
): Promise<Sent> {
  const sent: Sent = { method, target: path, headers: {}, body: undefined };
  if (operation.security?.length !== 0) sent.headers['x-api-key'] = key;
  const spoiledId = breakages.find((each) => each.kind === 'id')?.text;
  const query: string[] = [];
  for (const { in: place, name, required, schema } of operation.parameters ?? []) {
    const example = encodeURIComponent(String(schema.examples?.[0] ?? schema.enum?.[0] ?? 'x'));
    if (place === 'query' && required) query.push(`${name}=${example}`);
    if (place !== 'path') continue;
    const noun = path.split(`/{${name}}`, 1)[0]?.split('/').at(-1) ?? '';
    sent.target = sent.target.replace(`{${name}}`, spoiledId ?? (await idOf(noun)) ?? example);
  }
  const forms = Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, media]) =>
    examplesOf(media).map(([, body]) => ({ type, body })),
  );
  const chosen = forms[form % Math.max(1, forms.length)];
  let text =
    chosen && bodyText(breakages.reduce(breakBody, asSent(chosen.body, ids, Date.now())), chosen.type);
  if (chosen !== undefined) sent.headers['content-type'] = chosen.type;
  for (const breakage of breakages) {
    if (breakage.kind === 'text') text = breakage.text;
    else if (breakage.kind === 'cut') text = text?.slice(0, breakage.at);
    else if (breakage.kind === 'header') sent.headers[breakage.name] = breakage.value;
    else if (breakage.kind === 'query') query.push(breakage.text);
    else if (breakage.kind === 'method') sent.method = breakage.method;
  }
  if (query.length > 0) sent.target = `${sent.target}?${query.join('&')}`;
  if (text === undefined) return sent;
  sent.body = Buffer.from(keepHome(text, receiver));
  sent.headers['content-length'] = String(sent.body.length);
  return sent;
}

/** The body as text, with names that no other request uses. */
function bodyText(body: unknown, type: string): string {
  if (typeof body === 'string' && !type.endsWith('/json')) return body;
  const renamed = (name: string, value: unknown) =>
    typeof value === 'string' && ['external_id', 'name'].includes(name)
      ? uniqueName(value.slice(0, 8) || 'n')
      : value;
  return JSON.stringify(body, renamed);
}

/** Replaces addresses in a body so that the product can only call the test's receiver on the loopback interface. */
function keepHome(text: string, receiver: string): string {
  return text
    .replaceAll(/https?:(?:\\?\/){2}[^/"'\\\s,}\]]*/g, receiver)
    .replaceAll('pagerduty', 'webhook')
    .replaceAll('bot_token', 'bot_name');
}
