/** The parts of an OpenAPI document that tests read. */
export interface ApiDocument {
  openapi: string;
  paths: Record<
    string,
    Record<string, Omit<Operation, 'parameters'> & { parameters?: (Parameter | Reference)[] }>
  >;
  components?: {
    responses?: Record<string, DocumentedAnswer>;
    headers?: Record<string, DocumentedHeader>;
    parameters?: Record<string, Parameter>;
  };
}

export interface Operation {
  operationId: string;
  tags: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, DocumentedAnswer | Reference>;
}

/** A reference to one of the document's components. */
export interface Reference {
  $ref: string;
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
  headers?: Record<string, DocumentedHeader | Reference>;
  content?: Record<string, MediaType>;
}

export interface DocumentedHeader {
  required?: boolean;
  schema: object;
}

/** An operation of the document with its method and path, and with references among its parameters resolved. */
export interface Endpoint {
  /** The HTTP method in upper case. */
  method: string;
  /** The path with its parameters in braces. */
  path: string;
  operation: Operation;
}

/** Every operation, in the order of the document. */
export function endpointsOf(document: ApiDocument): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: {
        ...operation,
        parameters:
          operation.parameters?.map((each) => referred(document.components?.parameters, each)) ?? [],
      },
    })),
  );
}

/** The value itself, or the component that it refers to. */
export function referred<Part extends object>(
  shared: Record<string, Part> | undefined,
  part: Part | Reference,
): Part {
  if (!('$ref' in part)) return part;
  const found = shared?.[part.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`${part.$ref} refers to nothing in the document`);
  return found;
}

/** The examples of a body by name; a single unnamed one is called `example`. */
export function examplesOf({ example, examples = {} }: MediaType): [name: string, value: unknown][] {
  const named = Object.entries(examples).map(([name, { value }]): [string, unknown] => [name, value]);
  return example === undefined ? named : [['example', example], ...named];
}

/** The JSON Pointer with these segments, below `#`. */
export function pointerTo(...segments: readonly string[]): string {
  return segments.map((each) => `/${each.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
