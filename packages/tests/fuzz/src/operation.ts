import { buildDocument } from '@tidewatch/contracts/document/openapi';
import type { JsonSchema } from './schema-arbitrary.ts';

export interface Parameter {
  in: 'query' | 'header' | 'path';
  name: string;
  required: boolean;
  schema: JsonSchema;
}

export interface BodyForm {
  type: string;
  schema: JsonSchema;
  examples: unknown[];
}

/** One endpoint of the document. */
export interface Operation {
  /** `GET /api/v1/services/{id}` */
  name: string;
  method: string;
  path: string;
  needsKey: boolean;
  parameters: Parameter[];
  bodies: BodyForm[];
  /** What the id in its path begins with, such as `svc`; null where there is none. */
  prefix: string | null;
}

interface RawOperation {
  security?: unknown[];
  parameters?: (Partial<Parameter> & { $ref?: string; example?: unknown; examples?: unknown })[];
  requestBody?: {
    content: Record<string, { schema: JsonSchema; examples?: Record<string, { value: unknown }> }>;
  };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export interface ApiDocument {
  operations: Operation[];
  resolve(ref: string): JsonSchema;
}

/** Every endpoint, as the schemas of the contracts tell it. */
export function readDocument(): ApiDocument {
  const document = JSON.parse(JSON.stringify(buildDocument())) as {
    paths: Record<string, Record<string, RawOperation>>;
  };
  const resolve = (ref: string): JsonSchema => {
    let at: unknown = document;
    for (const part of ref.replace(/^#\//, '').split('/')) at = (at as Record<string, unknown>)[part];
    return at as JsonSchema;
  };
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const raw = item[method];
      if (raw === undefined) continue;
      const parameters = (raw.parameters ?? []).map(
        (each) => (each.$ref === undefined ? each : resolve(each.$ref)) as unknown as Parameter,
      );
      const id = parameters.find((each) => each.in === 'path');
      const [example] = id === undefined ? [] : (id.schema.examples ?? []);
      operations.push({
        name: `${method.toUpperCase()} ${path}`,
        ...{ method: method.toUpperCase(), path, parameters },
        needsKey: raw.security?.length !== 0,
        bodies: Object.entries(raw.requestBody?.content ?? {}).map(([type, { schema, examples }]) => ({
          ...{ type, schema },
          examples: Object.values(examples ?? {}).map(({ value }) => value),
        })),
        prefix: /^([a-z]{3})_/.exec(String(example))?.[1] ?? null,
      });
    }
  }
  return { operations, resolve };
}
