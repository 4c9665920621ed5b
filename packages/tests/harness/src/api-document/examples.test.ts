import { buildDocument } from '@tidewatch/contracts/document/openapi';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ApiDocument, endpointsOf, examplesOf, type MediaType, pointerTo } from './api-document.ts';
import { createConformance } from './conformance.ts';

const document = JSON.parse(JSON.stringify(buildDocument())) as ApiDocument;
const conformance = createConformance(document);

/** The value of an example as it is sent. */
function spelledBy(type: string, example: unknown): unknown {
  if (type === 'application/yaml') return parse(String(example));
  return type === 'application/x-ndjson' ? JSON.parse(String(example).trim().split('\n')[0] ?? '') : example;
}

function faultsOf(pointer: string, content: Record<string, MediaType>): string[] {
  return Object.entries(content).flatMap(([type, media]) =>
    examplesOf(media).flatMap(([name, example]) =>
      conformance
        .faultsOfValue(`${pointer}/content`, type, spelledBy(type, example))
        .map((fault) => `${type} ${name}: ${fault}`),
    ),
  );
}

describe.each(endpointsOf(document).map((each) => [`${each.method} ${each.path}`, each] as const))(
  '%s',
  (_name, endpoint) => {
    const { requestBody, responses } = endpoint.operation;

    it('has an example of every body', () => {
      const answers = Object.keys(responses).map(
        (status) => conformance.answerOf(endpoint, Number(status))?.answer.content,
      );
      for (const content of [requestBody?.content, ...answers]) {
        // A binary body cannot be written in the document.
        const media = Object.entries(content ?? {}).filter(([type]) => type !== 'application/x-protobuf');
        if (media.length === 0) continue;
        const examples = media.flatMap(([, each]) => examplesOf(each));
        expect(examples.length, media.map(([type]) => type).join()).toBeGreaterThan(0);
      }
    });

    it('has examples that its schemas accept', () => {
      const pointer = pointerTo('paths', endpoint.path, endpoint.method.toLowerCase(), 'requestBody');
      if (requestBody) expect(faultsOf(pointer, requestBody.content)).toEqual([]);
      for (const status of Object.keys(responses)) {
        const described = conformance.answerOf(endpoint, Number(status));
        expect(described, status).toBeDefined();
        if (described)
          expect(faultsOf(described.pointer, described.answer.content ?? {}), status).toEqual([]);
      }
    });
  },
);
