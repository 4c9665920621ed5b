import { isMap, parseDocument } from 'yaml';

/** What a document of rules says about each of them, as far as the console shows it. */
export interface DocumentRule {
  externalId: string | null;
  name: string;
}

export type RuleDocument = { kind: 'document'; rules: DocumentRule[] } | { kind: 'fault'; message: string };

/** The rules of a document in YAML or JSON; their fields are those of the API, which checks them. */
export function readDocument(text: string): RuleDocument {
  const document = parseDocument(text);
  const [fault] = document.errors;
  // Only the first line, because the further lines quote the document.
  if (fault) return { kind: 'fault', message: `This is no YAML: ${fault.message.split('\n')[0] ?? ''}` };
  const content: unknown = isMap(document.contents) ? document.toJS() : null;
  const rules = (content as { rules?: unknown } | null)?.rules;
  if (!Array.isArray(rules))
    return { kind: 'fault', message: 'The document must be an object with the list "rules".' };
  return { kind: 'document', rules: rules.map(ruleOf) };
}

/** The document with the options of the import, which replace those that it has. */
export function withOptions(text: string, options: { prune: boolean; dryRun: boolean }): string {
  const document = parseDocument(text);
  document.set('prune', options.prune);
  document.set('dry_run', options.dryRun);
  return document.toString();
}

function ruleOf(value: unknown): DocumentRule {
  const { external_id, name } = (value ?? {}) as Record<string, unknown>;
  return {
    externalId: typeof external_id === 'string' ? external_id : null,
    name: typeof name === 'string' ? name : '',
  };
}
