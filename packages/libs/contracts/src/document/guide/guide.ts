import { PROBLEMS, type ProblemCode } from '../../problems/problem-codes.ts';
import { PROBLEMS_OF_ALL, PROBLEMS_OF_BODIES, PROBLEMS_OF_CHANGES, PROBLEMS_OF_KEYS } from '../route.ts';
import type {
  GuideAnswer,
  GuideDocument,
  GuideMedia,
  GuideOperation,
  GuideParameter,
  Reference,
} from './document.ts';
import { spellJson } from './spell-json.ts';

/** Parameters that the guide explains only once, at the beginning. */
const SHARED_PARAMETERS = new Set(['limit', 'offset', 'cursor', 'If-Match', 'If-None-Match', 'id']);
const SHARED_CODES = new Set<string>([
  ...PROBLEMS_OF_ALL,
  ...PROBLEMS_OF_KEYS,
  ...PROBLEMS_OF_CHANGES,
  ...PROBLEMS_OF_BODIES,
  'not_found',
]);

/** The prefix of the API's endpoints; other endpoints need no key and no example. */
const API = '/api/v1';

/** Writes the API as Markdown by noun, for `docs/api.md`. */
export function writeGuide(document: GuideDocument): string {
  const shown = new Set<string>();
  const chapters = document.tags.map(({ name, description }) => {
    const operations = Object.entries(document.paths).flatMap(([path, each]) =>
      Object.entries(each)
        .filter(([, operation]) => operation.tags[0] === name)
        .map(([method, operation]) => section(document, method, path, operation, shown)),
    );
    return `## ${name}\n${description}\n\n${operations.join('\n')}`;
  });
  return `${introduction(document)}\n${chapters.join('\n')}\n${codes()}`;
}

function introduction({ info }: GuideDocument): string {
  const [first = '', ...rest] = info.description.split('\n\n');
  return `<!-- Made from packages/libs/contracts/openapi.json by npm run generate. -->

# The API
${first} A running installation serves the same as a page to try out on \`/docs\`, and as an OpenAPI 3.1 document on
\`/openapi.json\`.

${rest.join('\n\n')}

- **Lists** take \`limit\` (1 to 100, 50 unless given) with \`offset\`, or with \`cursor\`, the \`next_cursor\` of the page
  before. Pages by cursor neither skip nor repeat what is written meanwhile.
- **Versions.** Objects that can be changed answer an \`ETag\`. Reads take \`If-None-Match\` and answer 304, changes take
  \`If-Match\` and answer 412 where the object has changed.
- **Examples** use \`$TW\`, the address of the installation, and \`$KEY\`. They are sent to the product by its tests.
`;
}

function section(
  document: GuideDocument,
  method: string,
  path: string,
  operation: GuideOperation,
  shown: Set<string>,
): string {
  const parts = [
    `### ${method.toUpperCase()} ${path}`,
    [`${operation.summary}.`, operation.description].filter(Boolean).join(' ').replaceAll('\n\n', ' '),
    parametersTable(
      (operation.parameters ?? []).map((each) => referred(document.components.parameters, each)),
    ),
    ...(path.startsWith(API)
      ? [requestExample(method, path, operation), answerExamples(document, operation, shown)]
      : []),
    ownCodes(document, operation),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function parametersTable(parameters: readonly GuideParameter[]): string {
  const rows = parameters
    .filter(({ name }) => !SHARED_PARAMETERS.has(name))
    .map(({ name, in: where, description, schema }) => {
      const text = cell(description ?? schema.description ?? '');
      return `| \`${name}\`${where === 'query' ? '' : ` (${where})`} | ${typeOf(schema)} | ${text} |`;
    });
  return rows.length === 0 ? '' : ['| parameter | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

function typeOf({ type, enum: values, default: usual }: GuideParameter['schema']): string {
  const few = values !== undefined && values.length <= 12 ? values.map((each) => `\`${each}\``) : undefined;
  return `${few?.join(', ') ?? [type].flat().join(' or ')}${usual === undefined ? '' : `; \`${usual}\` unless given`}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function requestExample(method: string, path: string, { requestBody }: GuideOperation): string {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const body = media === undefined ? undefined : firstExample(media);
  const words = [
    'curl',
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    '-H "X-API-Key: $KEY"',
    ...(type === undefined ? [] : [`-H 'Content-Type: ${type}'`]),
    `"$TW${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`,
  ];
  const line = words.join(' ');
  return fenced('sh', body === undefined ? line : `${line} -d '${spellJson(body).replaceAll("'", "'\\''")}'`);
}

function answerExamples(
  { components }: GuideDocument,
  { responses }: GuideOperation,
  shown: Set<string>,
): string {
  const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const texts = successes.map(([status, answer]) => {
    const { description = '', content = {} } = referred(components.responses, answer);
    const said = `**${status}** ${description}`;
    const media = content['application/json'];
    const others = Object.keys(content).filter((type) => type !== 'application/json');
    const also = media !== undefined && others.length > 0 ? ` Also as ${listed(others)}.` : '';
    if (media === undefined) return others.length > 0 ? `${said} It is ${listed(others)}.` : said;
    const name = media.schema?.$ref?.split('/').at(-1);
    if (name !== undefined && shown.has(name)) return `${said}${also} It is the \`${name}\` shown above.`;
    if (name !== undefined) shown.add(name);
    return `${said}${also}\n\n${fenced('json', spellJson(firstExample(media)))}`;
  });
  return texts.join('\n\n');
}

const listed = (types: readonly string[]) => types.map((type) => `\`${type}\``).join(', ');

function firstExample({ example, examples = {} }: GuideMedia): unknown {
  return example ?? Object.values(examples)[0]?.value;
}

function ownCodes({ components }: GuideDocument, { responses }: GuideOperation): string {
  const own = Object.values(responses)
    .flatMap((answer) => codesOf(referred(components.responses, answer)))
    .filter((code) => !SHARED_CODES.has(code));
  return own.length === 0 ? '' : `Codes of its own: ${own.map((code) => `\`${code}\``).join(', ')}.`;
}

/** The value itself, or the component to which a reference refers. */
function referred<Part extends object>(shared: Record<string, Part>, part: Part | Reference): Part {
  return '$ref' in part ? (shared[part.$ref.split('/').at(-1) ?? ''] as Part) : part;
}

const codesOf = ({ content = {} }: GuideAnswer) =>
  Object.keys(content['application/problem+json']?.examples ?? {});

function codes(): string {
  const rows = (Object.keys(PROBLEMS) as ProblemCode[]).map(
    (code) => `| \`${code}\` | ${PROBLEMS[code].status} | ${cell(PROBLEMS[code].description)} |`,
  );
  return `## Codes of problems
The list is closed. \`/problems/<code>\` of an installation explains each.

| code | status | meaning |
|---|---|---|
${rows.join('\n')}
`;
}

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;
