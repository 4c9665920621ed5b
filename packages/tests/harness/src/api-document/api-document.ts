/** An OpenAPI document as far as tests read it. */
export interface ApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components?: { responses?: Record<string, DocumentedAnswer> };
}

export interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, DocumentedAnswer | { $ref: string }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: { type?: string; enum?: unknown[]; examples?: unknown[] };
}

export interface MediaType {
  schema?: object;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface DocumentedAnswer {
  description: string;
  headers?: Record<string, { required?: boolean; schema: object }>;
  content?: Record<string, MediaType>;
}

/** One operation and where it is. */
export interface Endpoint {
  /** In upper case. */
  method: string;
  /** With parameters in braces. */
  path: string;
  operation: Operation;
}

/** Every operation, in the order of the document. */
export function endpointsOf(document: ApiDocument): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** The examples of a body, by name; `example` for the one that has none. */
export function examplesOf({ example, examples = {} }: MediaType): [name: string, value: unknown][] {
  const named = Object.entries(examples).map(([name, { value }]): [string, unknown] => [name, value]);
  return example === undefined ? named : [['example', example], ...named];
}

/** JSON Pointer below `#` of these segments. */
export function pointerTo(...segments: readonly string[]): string {
  return segments.map((each) => `/${each.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
