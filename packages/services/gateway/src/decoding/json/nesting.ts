import type { BodyForm } from './body-form.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The max depth of a body. Payloads nest five deep; ignored members may nest further. */
export const MAX_DEPTH = 10_000;

/** The depth and the number of members of a JSON text, counted before it is parsed. */
export interface Structure {
  /** Whether lists and objects nest deeper than is allowed; counting stops there. */
  isTooDeep: boolean;
  /** The number of members of all objects, including duplicates. */
  members: number;
  /** At least the number of values, without the outermost one: of commas, lists and objects. */
  values: number;
}

/**
 * Computes depth and numbers of members and values of a JSON text before it is parsed, because parsing takes memory for each level and
 * drops duplicate members. Each line of NDJSON has a depth of its own. Other formats than payloads have a `maxDepth` of their own.
 */
export function structureOf(bytes: Uint8Array, form: BodyForm, maxDepth = MAX_DEPTH): Structure {
  let depth = 0;
  let members = 0;
  let values = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE || (byte === LINE_FEED && form === 'ndjson')) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COLON) members += 1;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return { isTooDeep: true, members, values };
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (byte === LINE_FEED && form === 'ndjson') depth = 0;
  }
  return { isTooDeep: false, members, values };
}
