import {
  type ApiDocument,
  type ApiOperation,
  type JsonSchema,
  resolved,
  shortSchema,
} from './json-schema.ts';
import type { Tool } from './tool.ts';

/** The schema of the arguments of a tool, an object. */
export interface InputSchema extends JsonSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: string[];
}

/** Entries in a page, where a tool lists something; fewer are shown where they are large. */
export const PAGE = { default: 20, max: 50 } as const;

const PAGE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: PAGE.max,
    default: PAGE.default,
    description: 'Max entries of a page.',
  },
  cursor: {
    type: 'string',
    description: 'next_cursor of the page before, with the same other arguments.',
  },
};

/** The schema of a tool's arguments, made from the API document. Throws for names that the operation does not have. */
export function inputSchema(document: ApiDocument, tool: Tool): InputSchema {
  const operation = operationOf(document, tool.operationId);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  if (tool.id !== undefined) {
    properties[tool.id] = {
      type: 'string',
      description: `The id, such as ${idExample(document, operation)}.`,
    };
    required.push(tool.id);
  }
  const body = bodyOf(document, operation);
  for (const name of tool.body ?? []) {
    properties[name] = tool.schemas?.[name] ?? shortSchema(document, memberOf(body, name, tool));
    if (((body.required ?? []) as readonly string[]).includes(name)) required.push(name);
  }
  const parameters = parametersOf(document, operation, 'query');
  for (const name of tool.query ?? [])
    properties[name] = tool.schemas?.[name] ?? parameterSchema(document, parameters, name, tool);
  if (tool.list !== undefined) Object.assign(properties, PAGE_SCHEMAS);
  for (const [name, schema] of Object.entries(tool.schemas ?? {})) properties[name] ??= schema;
  required.push(...(tool.required ?? []));
  return {
    type: 'object',
    properties,
    required: [...new Set(required)],
    additionalProperties: tool.isOpen === true,
  };
}

function operationOf(document: ApiDocument, operationId: string): ApiOperation {
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations))
      if (operation.operationId === operationId) return operation;
  throw new Error(`the API document has no operation ${operationId}`);
}

function parametersOf(document: ApiDocument, operation: ApiOperation, place: string): readonly JsonSchema[] {
  const all = (operation.parameters ?? []).map((each) => resolved(document, each));
  return all.filter((parameter) => parameter['in'] === place);
}

function parameterSchema(
  document: ApiDocument,
  parameters: readonly JsonSchema[],
  name: string,
  tool: Tool,
): JsonSchema {
  const parameter = parameters.find((each) => each['name'] === name);
  if (parameter === undefined) throw new Error(`${tool.operationId} has no parameter ${name}`);
  return shortSchema(document, parameter['schema']);
}

function idExample(document: ApiDocument, operation: ApiOperation): string {
  const [parameter] = parametersOf(document, operation, 'path');
  const { examples } = (parameter?.['schema'] ?? {}) as { examples?: readonly string[] };
  return examples?.[0] ?? '';
}

function bodyOf(document: ApiDocument, operation: ApiOperation): JsonSchema {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  return content === undefined ? {} : resolved(document, content.schema);
}

function memberOf(body: JsonSchema, name: string, tool: Tool): unknown {
  const members = (body['properties'] ?? {}) as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(members, name)) throw new Error(`the body of ${tool.operationId} has no ${name}`);
  return members[name];
}
