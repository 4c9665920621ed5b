import { isUtf8 } from 'node:buffer';
import { BOUNDS, type Payload } from '@tidewatch/contracts/ingest/sample';
import type { DecodedBody } from '../decoded-body.ts';
import { FaultList } from '../fault-list.ts';
import { placeOf } from '../places.ts';
import type { BodyForm } from './body-form.ts';
import { decodePayload } from './decode-payload.ts';
import { countMembers, type DuplicatePath, duplicateMembers } from './duplicate-members.ts';
import { IgnoredFields } from './ignored-fields.ts';
import { MAX_DEPTH, structureOf } from './nesting.ts';

const NOTHING_IGNORED = { warnings: [], counts: {} };

function finish(
  faults: FaultList,
  payloads: Payload[],
  at: string[],
  rejected: number,
  refused: boolean,
  { warnings, counts: ignored }: Pick<IgnoredFields, 'warnings' | 'counts'> = NOTHING_IGNORED,
): DecodedBody {
  const { kept, count } = faults;
  return { payloads, at, rejected, faults: kept, faultCount: count, refused, warnings, ignored };
}

function refuse(code: string, message: string): DecodedBody {
  const faults = new FaultList();
  faults.add('', null, code, message);
  return finish(faults, [], [], 0, true);
}

const tooMany = () => refuse('too_many', `Must have at most ${BOUNDS.payloads} payloads.`);

const REPEATED =
  'Occurs more than once in this object. Send it once: only one of its values could be stored.';

/** Adds a fault for each duplicate member; returns whether there are any. `at` is the JSON Pointer that the paths start from. */
function addDuplicates(paths: readonly DuplicatePath[] | undefined, at: string, faults: FaultList): boolean {
  if (paths === undefined) return false;
  for (const path of paths) {
    const parents = path.slice(0, -1).map((segment) => `/${segment}`);
    faults.add(at + parents.join(''), path.at(-1) as string, 'duplicate', REPEATED);
  }
  return true;
}

function decodeJson(text: string, receivedAt: number, members: number): DecodedBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse(
      'invalid_json',
      'Is not valid JSON. Payloads on lines of their own are sent as application/x-ndjson.',
    );
  }
  const faults = new FaultList();
  const ignored = new IgnoredFields();
  const repeated = countMembers(body) === members ? null : duplicateMembers(text, Array.isArray(body));
  if (!Array.isArray(body)) {
    if (typeof body !== 'object' || body === null)
      return refuse('invalid_type', 'Must be an object or an array.');
    const isRepeated = addDuplicates(repeated?.get(0), '', faults);
    const payload = decodePayload(body, receivedAt, '', faults, ignored);
    return payload === null || isRepeated
      ? finish(faults, [], [], 1, false, ignored)
      : finish(faults, [payload], [''], 0, false, ignored);
  }
  if (body.length === 0) return refuse('too_few', 'Must have at least one payload.');
  if (body.length > BOUNDS.payloads) return tooMany();
  const payloads: Payload[] = [];
  const places: string[] = [];
  for (let index = 0; index < body.length; index += 1) {
    const at = placeOf(index);
    const isRepeated = repeated !== null && addDuplicates(repeated.get(index), '', faults);
    const payload = decodePayload(body[index], receivedAt, at, faults, ignored);
    if (payload === null || isRepeated) continue;
    payloads.push(payload);
    places.push(at);
  }
  return finish(faults, payloads, places, body.length - payloads.length, false, ignored);
}

function decodeLines(text: string, receivedAt: number): DecodedBody {
  const faults = new FaultList();
  const ignored = new IgnoredFields();
  const payloads: Payload[] = [];
  const places: string[] = [];
  let index = 0;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const line = text.slice(start, end).trim();
    start = end + 1;
    if (line === '') continue;
    if (index >= BOUNDS.payloads) return tooMany();
    const at = placeOf(index);
    index += 1;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      faults.add(at, null, 'invalid_json', 'Is not valid JSON.');
      continue;
    }
    const { members } = structureOf(Buffer.from(line), 'json');
    const isRepeated =
      countMembers(value) !== members && addDuplicates(duplicateMembers(line, false).get(0), at, faults);
    const payload = decodePayload(value, receivedAt, at, faults, ignored);
    if (payload === null || isRepeated) continue;
    payloads.push(payload);
    places.push(at);
  }
  if (index === 0) return refuse('too_few', 'Must have at least one payload.');
  return finish(faults, payloads, places, index - payloads.length, false, ignored);
}

/** Parses and validates a body. `receivedAt` (ms) is the time of payloads without a time. */
export function parseBody(bytes: Buffer, form: BodyForm, receivedAt: number): DecodedBody {
  if (bytes.length === 0) return refuse('empty_body', 'Must not be empty.');
  if (!isUtf8(bytes)) return refuse('invalid_utf8', 'Is not valid UTF-8.');
  const { isTooDeep, members } = structureOf(bytes, form);
  if (isTooDeep) return refuse('too_deep', `Must nest at most ${MAX_DEPTH} deep.`);
  const marked = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString('utf8', marked ? 3 : 0);
  return form === 'json' ? decodeJson(text, receivedAt, members) : decodeLines(text, receivedAt);
}
