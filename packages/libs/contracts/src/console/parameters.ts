/** How a parameter of a page is spelled in a URL. */
export type Parameter =
  | { readonly kind: 'text' }
  | { readonly kind: 'texts'; readonly max: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'time' };

export type Parameters = Readonly<Record<string, Parameter>>;

type ValueOf<P extends Parameter> = P extends { kind: 'texts' }
  ? readonly string[]
  : P extends { kind: 'choice'; of: readonly (infer Choice extends string)[] }
    ? Choice
    : P extends { kind: 'whole' }
      ? number
      : P extends { kind: 'flag' }
        ? true
        : string;

/** The values of a page's parameters. What is absent has its default. */
export type ValuesOf<P extends Parameters> = { readonly [Name in keyof P]?: ValueOf<P[Name]> | undefined };

/** Values of a URL as they were sent: every parameter with all of its occurrences. */
export type RawSearch = Readonly<Record<string, readonly string[]>>;

/** Longer texts are no filter that somebody typed. */
export const MAX_TEXT = 500;

const RELATIVE = /^-\d{1,9}(?:s|m|h|d|w)$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** True for a time relative to now, such as `-1h`, and for an absolute one by RFC 3339. */
export function isPageTime(text: string): boolean {
  return RELATIVE.test(text) || (RFC_3339.test(text) && !Number.isNaN(Date.parse(text)));
}

export const text = { kind: 'text' } as const;
export const flag = { kind: 'flag' } as const;
export const time = { kind: 'time' } as const;
export const texts = (max = 50) => ({ kind: 'texts', max }) as const;
export const whole = (min: number, max: number) => ({ kind: 'whole', min, max }) as const;
export const choice = <const Choices extends readonly string[]>(...of: Choices) =>
  ({ kind: 'choice', of }) as const;

/** The values that are valid, and the names of parameters whose values are not. Unknown parameters are ignored. */
export function readParameters<P extends Parameters>(
  parameters: P,
  raw: RawSearch,
): { values: ValuesOf<P>; invalid: string[] } {
  const values: Record<string, unknown> = {};
  const invalid: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const sent = raw[name];
    if (sent === undefined || sent.length === 0) continue;
    const value = readValue(parameter, sent);
    if (value === undefined) invalid.push(name);
    else values[name] = value;
  }
  return { values: values as ValuesOf<P>, invalid };
}

function readValue(parameter: Parameter, sent: readonly string[]): unknown {
  if (parameter.kind === 'texts') {
    const isValid = sent.length <= parameter.max && sent.every(isText);
    return isValid ? sent : undefined;
  }
  const [value = ''] = sent;
  if (sent.length > 1) return undefined;
  switch (parameter.kind) {
    case 'text':
      return isText(value) ? value : undefined;
    case 'flag':
      return value === '1' ? true : undefined;
    case 'time':
      return isPageTime(value) ? value : undefined;
    case 'choice':
      return parameter.of.includes(value) ? value : undefined;
    case 'whole': {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= parameter.min && number <= parameter.max ? number : undefined;
    }
  }
}

function isText(value: string): boolean {
  return value !== '' && value.length <= MAX_TEXT;
}

/** Splits a query string into the values of each parameter. */
export function readSearch(search: string): RawSearch {
  const raw: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    raw[name] ??= [];
    raw[name].push(value);
  }
  return raw;
}

/** Writes values as a query string with its question mark; empty if there are none. */
export function writeSearch(values: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === false) continue;
    for (const each of Array.isArray(value) ? value : [value])
      search.append(name, each === true ? '1' : String(each));
  }
  const written = search.toString();
  return written === '' ? '' : `?${written}`;
}
