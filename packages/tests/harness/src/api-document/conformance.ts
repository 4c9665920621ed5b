import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  type ApiDocument,
  type DocumentedAnswer,
  type Endpoint,
  pointerTo,
  referred,
} from './api-document.ts';

/** A response as received over HTTP. */
export interface GivenAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Compares values and responses with an OpenAPI document; each difference is a line of text. */
export interface Conformance {
  /** The faults of a value by the schema of a media type; `content` is the JSON Pointer to the object `content`. */
  faultsOfValue(content: string, type: string, value: unknown): string[];
  /** The faults of a response: a status, content type, header or body that the document does not describe. */
  faultsOfAnswer(endpoint: Endpoint, answer: GivenAnswer): string[];
  /** Returns the document's description of the answer with this status, and where it is; undefined if there is none. */
  answerOf(endpoint: Endpoint, status: number): { pointer: string; answer: DocumentedAnswer } | undefined;
}

const ID = 'openapi';
const IS_JSON = /^application\/(?:[\w.-]+\+)?json$/;

export function createConformance(document: ApiDocument): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  formats.default(ajv);
  ajv.addSchema(document, ID);

  function faultsAt(pointer: string, value: unknown): string[] {
    const validate = ajv.getSchema(
      `${ID}#${pointer.replaceAll('%', '%25').replaceAll('{', '%7B').replaceAll('}', '%7D')}`,
    );
    if (validate === undefined) return [`the document has no schema at ${pointer}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
  }

  function answerOf({ method, path, operation }: Endpoint, status: number) {
    const found = operation.responses[String(status)];
    if (found === undefined) return undefined;
    if (!('$ref' in found))
      return {
        pointer: pointerTo('paths', path, method.toLowerCase(), 'responses', String(status)),
        answer: found,
      };
    const name = found.$ref.replace('#/components/responses/', '');
    const answer = document.components?.responses?.[name];
    return answer && { pointer: pointerTo('components', 'responses', name), answer };
  }

  function faultsOfHeaders(
    { pointer, answer }: { pointer: string; answer: DocumentedAnswer },
    given: Headers,
  ) {
    return Object.entries(answer.headers ?? {}).flatMap(([name, header]) => {
      const value = given.get(name);
      if (value === null)
        return referred(document.components?.headers, header).required
          ? [`the header ${name} is missing`]
          : [];
      const at = '$ref' in header ? header.$ref.slice(1) : `${pointer}${pointerTo('headers', name)}`;
      return faultsAt(`${at}/schema`, value).map((fault) => `the header ${name}: ${fault}`);
    });
  }

  function faultsOfBody(content: string, types: readonly string[], given: GivenAnswer): string[] {
    const type = (given.headers.get('content-type') ?? '').split(';', 1)[0]?.trim() ?? '';
    if (types.length === 0) return given.body === '' ? [] : ['a body came where none is described'];
    if (!types.includes(type)) return [`the content type "${type}" is none of ${types.join(', ')}`];
    if (!IS_JSON.test(type)) return [];
    return faultsAt(`${content}${pointerTo(type, 'schema')}`, JSON.parse(given.body));
  }

  return {
    answerOf,
    faultsOfValue: (content, type, value) => faultsAt(`${content}${pointerTo(type, 'schema')}`, value),
    faultsOfAnswer(endpoint, given) {
      const described = answerOf(endpoint, given.status);
      if (described === undefined) return [`the status ${given.status} is not described`];
      const types = Object.keys(described.answer.content ?? {});
      return [
        ...faultsOfHeaders(described, given.headers),
        ...faultsOfBody(`${described.pointer}/content`, types, given),
      ];
    },
  };
}
