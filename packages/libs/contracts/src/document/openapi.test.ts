import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { eventSchema } from '../events/event.ts';
import { PROBLEMS } from '../problems/problem-codes.ts';
import { buildDocument } from './openapi.ts';
import { ROUTES } from './routes.ts';

const document = buildDocument();
const text = JSON.stringify(document);

interface Response {
  $ref?: string;
  description?: string;
  links?: Record<string, { operationId: string; parameters: { id: string } }>;
  content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema?: { examples?: string[] };
}

interface Operation {
  operationId: string;
  summary: string;
  security?: unknown[];
  parameters?: Parameter[];
  responses: Record<string, Response>;
}

const shared = document.components?.parameters as Record<string, Parameter>;

/** The operation with its references to parameters resolved. */
function operationAt(path: string, method: string): Operation {
  const found = (document.paths as Record<string, Record<string, Operation>>)[path]?.[method] as Operation;
  const parameters = (found.parameters ?? []).map((each) =>
    '$ref' in each ? (shared[String(each.$ref).split('/').at(-1) ?? ''] as Parameter) : each,
  );
  return { ...found, parameters };
}

it('the API document is the same each time', () => {
  expect(JSON.stringify(buildDocument())).toBe(text);
});

it('the API document has references to its own components only', () => {
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#([^"]*)"/g)) {
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
    expect(found, pointer).toBeDefined();
  }
});

it('the API document describes both ways to send a key', () => {
  expect(document.components?.securitySchemes).toMatchObject({
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    bearer: { type: 'http', scheme: 'bearer' },
  });
  expect(document.security).toEqual([{ apiKey: [] }, { bearer: [] }]);
});

it('the API document describes a time by the format date-time, not by a regular expression', () => {
  expect(text).not.toContain('[2468][048]');
  expect(text).toContain('"format":"date-time"');
});

it('the API document allows further fields in responses', () => {
  const schemas = document.components?.schemas as Record<string, { additionalProperties?: unknown }>;
  expect(schemas.Service?.additionalProperties).toBeUndefined();
  expect(schemas.RuleInput?.additionalProperties).toBe(false);
  // Beside a reference, `additionalProperties: false` would refuse all fields of the referenced schema.
  for (const [name, schema] of Object.entries(schemas))
    expect('$ref' in schema && 'additionalProperties' in schema, name).toBe(false);
});

it('the API document requires every field of a returned rule except pending', () => {
  const rule = document.components?.schemas?.Rule as { properties: object; required: string[] };
  expect(Object.keys(rule.properties).filter((name) => !rule.required.includes(name))).toEqual([
    'pending',
    'alerts',
  ]);
});

it('the document describes the requests to webhooks, with an event as an example', () => {
  const event = document.webhooks?.event as { post: { requestBody: Response } } | undefined;
  expect(eventSchema.parse(event?.post.requestBody.content?.['application/json']?.example)).toMatchObject({
    type: 'alert.fired',
  });
});

it('the API document links responses to operations that take an id of that kind', () => {
  const operations = ROUTES.map((route) => operationAt(route.path, route.method));
  const links = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ links = {}, content }) =>
      Object.values(links).map((link) => {
        const { example, examples = {} } = content?.['application/json'] ?? {};
        return { ...link, example: example ?? Object.values(examples).at(-1)?.value };
      }),
    ),
  );
  expect(links.length).toBeGreaterThan(15);
  for (const { operationId, parameters, example } of links) {
    const target = operations.find((each) => each.operationId === operationId);
    const own = target?.parameters?.find(({ name }) => name === 'id')?.schema?.examples?.[0];
    const pointer = parameters.id.replace('$response.body#/', '').split('/');
    const id = pointer.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], example);
    expect(id, operationId).toBe(own);
  }
});

describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    const operation = operationAt(route.path, route.method);

    it('is described, with its parameters', () => {
      expect(operation).toMatchObject({ operationId: route.operationId, summary: route.summary });
      for (const name of route.path.matchAll(/\{(\w+)\}/g)) {
        expect(operation.parameters).toContainEqual(expect.objectContaining({ in: 'path', name: name[1] }));
      }
      for (const parameter of operation.parameters ?? [])
        expect(parameter.description, parameter.name).toBeTruthy();
    });

    it('lists the status of every answer and problem', () => {
      const statuses = [
        ...route.answers.map(({ status }) => status),
        ...route.problems.map((code) => PROBLEMS[code].status),
      ];
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining([...statuses, 500].map(String)),
      );
      const refuses = route.scope !== null || route.problems.some((code) => PROBLEMS[code].status === 401);
      expect(operation.responses['401'] !== undefined).toBe(refuses);
      if (route.scope === null) expect(operation.security).toEqual([]);
    });

    it('has examples that satisfy its schemas', () => {
      for (const { schema, examples = {}, type } of route.body ?? []) {
        for (const [name, { value }] of Object.entries(examples)) {
          expect(schema?.safeParse(bodyOf(type, value)).success, name).toBe(true);
        }
      }
    });
  },
);

function bodyOf(type: string, value: unknown): unknown {
  if (type === 'application/yaml') return parse(String(value));
  return type === 'application/x-ndjson' ? JSON.parse(String(value)) : value;
}
