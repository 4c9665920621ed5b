import { exampleOf, type JsonSchema } from './example.ts';

interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
  examples?: unknown;
}

interface Message {
  content?: Record<string, MediaType>;
}

type Operation = { requestBody?: Message; responses?: Record<string, Message> };

/** The parts of a document that contain bodies. */
export interface Document {
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}

const IS_JSON = /^application\/(?:[\w.-]+\+)?json$/;

/**
 * Adds an example to every body that has none, of JSON generated from its schema, of text taken from it; changes the document in place.
 */
export function addExamples(document: Document): void {
  const resolve = (pointer: string): JsonSchema => {
    const found = document.components?.schemas?.[pointer.replace('#/components/schemas/', '')];
    if (found === undefined) throw new Error(`${pointer} refers to nothing in the document`);
    return found;
  };
  for (const operations of Object.values({ ...document.paths, ...document.webhooks })) {
    for (const { requestBody, responses = {} } of Object.values(operations)) {
      for (const message of [requestBody, ...Object.values(responses)]) {
        for (const [type, media] of Object.entries(message?.content ?? {})) {
          const has = media.example !== undefined || media.examples !== undefined;
          if (has || media.schema === undefined) continue;
          if (IS_JSON.test(type)) media.example = exampleOf(media.schema, resolve);
          else if (type === 'text/plain') media.example = media.schema.examples?.[0];
        }
      }
    }
  }
}
