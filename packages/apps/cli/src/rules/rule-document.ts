import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { isMap, parseDocument } from 'yaml';
import { NotFoundError } from '../not-found-error.ts';
import type { Session } from '../session.ts';

/** Reads a file, or standard input for `-`. Throws UsageError if that fails. */
export async function readRuleDocument(
  session: Pick<Session, 'directory' | 'input'>,
  file: string,
): Promise<string> {
  if (file === '-') return readText(session.input);
  try {
    return await readFile(resolve(session.directory, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** The document with the options of the command line set; unchanged without options. */
export function withOptions(
  text: string,
  options: { prune?: true | undefined; dryRun?: true | undefined },
): string {
  if (!options.prune && !options.dryRun) return text;
  const document = parse(text);
  if (!isMap(document.contents)) throw new UsageError('the document must be an object with the member rules');
  if (options.prune) document.set('prune', true);
  if (options.dryRun) document.set('dry_run', true);
  return document.toString();
}

/** Finds a rule by external id or name; without a name, the only rule. Throws UsageError or NotFoundError. */
export function chooseRule(text: string, name: string | undefined): Record<string, unknown> {
  const content: unknown = parse(text).toJS();
  const rules = rulesOf(content);
  if (name === undefined) {
    const [only] = rules;
    if (rules.length === 1 && only !== undefined) return only;
    throw new UsageError(`the document has ${rules.length} rules: choose one with --rule`);
  }
  const found =
    rules.find((rule) => rule['external_id'] === name) ?? rules.find((rule) => rule['name'] === name);
  if (found === undefined) throw new NotFoundError(`no rule has the external id or name ${name}`);
  return found;
}

/** The rules of a document; a document may also be a single rule. */
function rulesOf(content: unknown): Record<string, unknown>[] {
  if (!isObject(content)) throw new UsageError('the document must be an object with the member rules');
  if (!('rules' in content)) return [content];
  const { rules } = content;
  if (!Array.isArray(rules)) throw new UsageError('the member rules of the document must be a list');
  return rules.filter(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string) {
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault?.code === 'MULTIPLE_DOCS') throw new UsageError('the file has more than one YAML document');
  // Only the first line, because the further lines of the message quote the document.
  if (fault)
    throw new UsageError(`the document is not YAML: ${fault.message.split('\n')[0]?.replace(/:$/, '')}`);
  return document;
}
