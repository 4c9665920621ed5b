import fc, { type Arbitrary } from 'fast-check';
import { type Breakage, breakageArbitrary, breakBody } from './breakage.ts';
import type { Sent } from './http.ts';
import type { ApiDocument, Operation, Parameter } from './operation.ts';
import { fromSchema } from './schema-arbitrary.ts';
import { unique, type World } from './world.ts';

/** A request yet to be sent: ids are chosen when it is. */
export interface Case {
  /** `sound` builds on the documented examples, `schema` on the schemas alone; `broken` is one of these, spoiled. */
  mode: 'sound' | 'schema' | 'broken';
  pick: number;
  parameters: Record<string, unknown>;
  type: string | undefined;
  body: unknown;
  breakages: Breakage[];
}

type Form = Pick<Case, 'type' | 'body'>;

/** Cursors belong to a page before, and preconditions to a version. */
const LEFT_OUT = /^(cursor|offset|if-match|if-none-match|content-encoding|last-event-id)$/i;

function parametersOf(
  operation: Operation,
  document: ApiDocument,
  chosen: (each: Parameter) => boolean,
): Arbitrary<Record<string, unknown>> {
  const taken = operation.parameters.filter((each) => each.in !== 'path' || operation.prefix === null);
  const required = taken.filter((each) => each.required || each.in === 'path');
  const optional = taken.filter((each) => !required.includes(each) && chosen(each));
  return fc
    .subarray(optional, { maxLength: Math.min(2, optional.length) })
    .chain((more) =>
      fc.record(
        Object.fromEntries(
          [...required, ...more].map((each) => [each.name, fromSchema(each.schema, document.resolve)]),
        ),
      ),
    );
}

/** Requests of one endpoint, of which a part is valid, so that they reach what lies behind validation. */
export function caseArbitrary(operation: Operation, document: ApiDocument): Arbitrary<Case> {
  const usual = parametersOf(operation, document, ({ name }) => !LEFT_OUT.test(name));
  const any = parametersOf(operation, document, () => true);
  const forms = operation.bodies;
  const none: Arbitrary<Form> = fc.constant({ type: undefined, body: undefined });
  const examples: Form[] = forms.flatMap(({ type, examples: values }) => {
    // A patch of which the document shows no example changes what most objects have.
    const all = values.length === 0 && operation.method === 'PATCH' ? [{ name: 'renamed' }] : values;
    return all.map((body) => ({ type, body }));
  });
  const made: Arbitrary<Form>[] = forms.map(({ type, schema }) =>
    fromSchema(schema, document.resolve).map((body) => ({ type, body })),
  );
  const ofSchema: Arbitrary<Form> = made.length === 0 ? none : fc.oneof(...made);
  const ofExample = examples.length === 0 ? ofSchema : fc.constantFrom(...examples);
  const build = (
    mode: Case['mode'],
    parameters: Arbitrary<Record<string, unknown>>,
    body: Arbitrary<Form>,
    breakages: Arbitrary<Breakage[]>,
  ): Arbitrary<Case> =>
    fc.tuple(fc.nat(10_000), parameters, body, breakages).map(([pick, chosen, form, breaks]) => ({
      mode,
      pick,
      parameters: chosen,
      ...form,
      breakages: breaks,
    }));
  const unbroken = fc.constant<Breakage[]>([]);
  const broken = fc.array(breakageArbitrary, { minLength: 1, maxLength: 2 });
  return fc.oneof(
    { weight: 6, arbitrary: build('sound', usual, ofExample, unbroken) },
    { weight: 2, arbitrary: build('schema', any, ofSchema, unbroken) },
    { weight: 4, arbitrary: build('broken', usual, ofExample, broken) },
  );
}

/** Ids in parameters and bodies become those of objects that exist, examples' names become unique. */
async function revive(value: unknown, world: World, pick: number): Promise<unknown> {
  if (typeof value === 'string') {
    const prefix = /^([a-z]{3})_[0-9a-f]{32}$/.exec(value)?.[1];
    return prefix === undefined ? value : ((await world.any(prefix, pick)) ?? value);
  }
  if (Array.isArray(value)) return Promise.all(value.map((each) => revive(each, world, pick)));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(async ([name, each]) => [
    name,
    name === 'external_id' || (name === 'name' && typeof each === 'string')
      ? unique(String(each).slice(0, 8) || 'n')
      : await revive(each, world, pick),
  ]);
  return Object.fromEntries(await Promise.all(fields));
}

/** Nothing that is made may lead to anywhere but the receiver on the loopback. */
function keepHome(text: string, receiver: string): string {
  return text
    .replaceAll(/https?:(?:\\?\/){2}[^/"'\\\s,}\]]*/g, receiver)
    .replaceAll('pagerduty', 'webhook')
    .replaceAll('bot_token', 'bot_name');
}

function bodyText(body: unknown, type: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string' && type !== undefined && !type.includes('json')) return body;
  if (type === 'application/x-ndjson')
    return typeof body === 'string'
      ? body
      : [body]
          .flat()
          .map((each) => JSON.stringify(each))
          .join('\n');
  return JSON.stringify(body);
}

/** What an object takes once, or only while it is young. */
const DESTRUCTIVE = /^DELETE |\/(resolve|rotate|acknowledge|cancel)$/;

export interface Surroundings {
  world: World;
  key: string;
  receiver: string;
}

/** The request of a case, as it goes over the wire. */
export async function spell(
  operation: Operation,
  each: Case,
  { world, key, receiver }: Surroundings,
): Promise<Sent & { id: string | undefined }> {
  const headers: Record<string, string> = operation.needsKey ? { 'x-api-key': key } : {};
  let { method, path } = operation;
  let id: string | undefined;
  if (operation.prefix !== null) {
    const spoiled = each.breakages.some(({ kind }) => kind === 'id');
    const once = DESTRUCTIVE.test(operation.name) && each.mode === 'sound';
    id = spoiled
      ? undefined
      : once
        ? await world.fresh(operation.prefix, each.pick)
        : await world.any(operation.prefix, each.pick);
    path = path.replace(/\{\w+\}/, id ?? `${operation.prefix}_${'0'.repeat(32)}`);
  }
  const query: string[] = [];
  for (const { in: place, name } of operation.parameters) {
    if (!Object.hasOwn(each.parameters, name)) continue;
    const value = await revive(each.parameters[name], world, each.pick);
    if (value === null || value === undefined) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const spelled = encodeURIComponent(text.toWellFormed());
    if (place === 'path') path = path.replace(`{${name}}`, spelled);
    else if (place === 'query') query.push(`${encodeURIComponent(name)}=${spelled}`);
    else headers[name.toLowerCase()] = printable(text);
  }
  let body: unknown = each.body;
  if (each.mode !== 'schema') body = await revive(body, world, each.pick);
  for (const breakage of each.breakages) body = breakBody(body, breakage);
  let text = bodyText(body, each.type);
  if (text !== undefined && each.type !== undefined) headers['content-type'] = each.type;
  for (const breakage of each.breakages) {
    if (breakage.kind === 'text') text = breakage.text;
    else if (breakage.kind === 'cut') text = text?.slice(0, breakage.at);
    else if (breakage.kind === 'header') headers[breakage.name] = breakage.value;
    else if (breakage.kind === 'query') query.push(breakage.text);
    else if (breakage.kind === 'method') method = breakage.method;
    else if (breakage.kind === 'id') path = operation.path.replace(/\{\w+\}/, breakage.text);
  }
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
  const sent = text === undefined ? undefined : Buffer.from(keepHome(text, receiver));
  if (sent !== undefined) headers['content-length'] = String(sent.length);
  return { method, target, headers, body: sent, id };
}

/** What Node's client takes for a header. */
function printable(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
}
