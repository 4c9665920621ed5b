import fc, { type Arbitrary } from 'fast-check';

/** A way to make a valid request invalid. */
export type Breakage =
  | { kind: 'value'; at: number; value: unknown }
  | { kind: 'remove'; at: number }
  | { kind: 'member'; name: string; value: unknown }
  | { kind: 'text'; text: string }
  | { kind: 'cut'; at: number }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'query'; text: string }
  | { kind: 'id'; text: string }
  | { kind: 'method'; method: string };

/** Values that the arbitrary of JSON values does not make. */
const JUNK: unknown[] = [
  ...[1e308, 2 ** 53, ' ', '\u0000', '\ud800', 'x'.repeat(5_000), '%00', '../../etc/passwd', "' or 1=1 --"],
  ...['{{7*7}}', '<script>', [[]], { __proto__: null, constructor: { prototype: {} } }],
  ...['2026-13-45T99:99:99Z', '\r\nSet-Cookie: a=b', 'tw_0_0', '٣', '𝕏', '\u202e'],
];

const TEXTS = [
  ...['', '{', '[', 'null', '1', '"text"', '{"a":1}{"b":2}', '\ufeff{}', '[]', '[{}]', '{"a":1e400}'],
  ...['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '{"a":"\\ud800"}'],
  ...['{"\\u0000":1}', 'a: &a [*a]', '!!js/function x'],
  ...['['.repeat(20_000), `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`],
];

const HEADERS: [string, string][] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=latin1'],
  ['content-type', 'multipart/form-data; boundary=a'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br'],
  ['content-encoding', 'nothing'],
  ['accept', 'image/png'],
  ['accept', '\u00ff'],
  ['if-match', '"0"'],
  ['if-none-match', '*'],
  ['prefer', 'handling=lenient, return=representation'],
  ['last-event-id', '\u00e9'],
  ['x-api-key', 'tw_0_0'],
  ['x-api-key', ''],
  ['x-forwarded-for', '::1, not an address'],
  ['x-request-id', 'x'.repeat(3_000)],
  ['x-http-method-override', 'DELETE'],
  ['range', 'bytes=0-'],
  ['expect', 'nothing'],
];

/** Queries beside those that schemathesis makes by the schema of each parameter. */
const QUERIES = [
  ...['limit=1&limit=2', 'limit', 'limit[]=1', 'limit[a]=1', 'limit=1;offset=2', 'offset=9007199254740993'],
  ...['cursor=x', 'cursor=eyJ9', 'cursor=', '__proto__=1', '__proto__[a]=1', 'constructor=1', '&&&=&'],
  ...['%00=1', 'a=%ff', 'a=%', 'q=%00', 'q=%25', 'q=_%25\\', `q=${'a'.repeat(4_000)}`, 'group_by=%27'],
  ...['from=0000-01-01T00:00:00Z', 'from=x&to=y', 'to=9999-12-31T23:59:59Z', 'as_of=now', 'format=exe'],
  ...['status=firing', 'tag=a', 'tag=:', 'step=0', 'step=1e-9', 'metrics=', 'fields=a,b', 'sort=-x'],
];

const IDS = [
  ...['x', '..', '%2e%2e', '..%2f..%2fetc%2fpasswd', '%00', '%zz', '%F0', '%27%20or%201=1', 'constructor'],
  ...['__proto__', 'svc_', `svc_${'f'.repeat(32)}`, `rul_${'0'.repeat(32)}`, `SVC_${'f'.repeat(32)}`],
  ...['a'.repeat(3_000), '%F0%9F%98%80', 'a%2fb', '*', '~', ';a=b', '%0d%0aSet-Cookie:%20a=b'],
];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'];

export const breakageArbitrary: Arbitrary<Breakage> = fc.oneof(
  fc.record({ kind: fc.constant('value' as const), at: fc.nat(50), value: fc.constantFrom(...JUNK) }),
  fc.record({ kind: fc.constant('value' as const), at: fc.nat(50), value: fc.jsonValue({ maxDepth: 2 }) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(50) }),
  fc.record({
    kind: fc.constant('member' as const),
    name: fc.constantFrom('__proto__', 'constructor', 'id', 'organization_id', 'unknown', ''),
    value: fc.constantFrom(...JUNK),
  }),
  fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom(...TEXTS) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(200) }),
  fc.constantFrom(...HEADERS).map(([name, value]) => ({ kind: 'header' as const, name, value })),
  fc.record({ kind: fc.constant('query' as const), text: fc.constantFrom(...QUERIES) }),
  fc.record({ kind: fc.constant('id' as const), text: fc.constantFrom(...IDS) }),
  fc.constantFrom(...METHODS).map((method) => ({ kind: 'method' as const, method })),
);

/** The positions of all values in a JSON document: the object or array that contains the value, and its name or index. */
function places(
  value: unknown,
  found: [Record<string, unknown>, string][] = [],
): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return found;
  const holder = value as Record<string, unknown>;
  for (const name of Object.keys(holder)) {
    found.push([holder, name]);
    places(holder[name], found);
  }
  return found;
}

/** The body with the breakage applied; unchanged if the breakage is not about bodies. */
export function breakBody(body: unknown, breakage: Breakage): unknown {
  if (body === undefined) return body;
  const copy: unknown = structuredClone(body);
  const all = places(copy);
  switch (breakage.kind) {
    case 'value':
    case 'remove': {
      const place = all[breakage.at % Math.max(1, all.length)];
      if (place === undefined) return breakage.kind === 'value' ? breakage.value : copy;
      const [holder, name] = place;
      if (breakage.kind === 'value') holder[name] = breakage.value;
      else if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
      return copy;
    }
    case 'member':
      if (typeof copy === 'object' && copy !== null)
        Object.defineProperty(copy, breakage.name, { value: breakage.value, enumerable: true });
      return copy;
    default:
      return copy;
  }
}
