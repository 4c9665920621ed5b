import { uuidv7obj } from 'uuidv7';
import { z } from 'zod';

/** The prefixes of ids, by kind of object. */
export const ID_PREFIXES = {
  org: 'an organization',
  svc: 'a service',
  rul: 'an alert rule',
  alr: 'an alert',
  inv: 'an investigation',
  key: 'an API key',
  chn: 'a notification channel',
  sil: 'a silence',
  evt: 'an event',
  ntf: 'a notification',
  rcp: 'a receipt of ingest',
  fnd: 'a finding',
  evd: 'a piece of evidence',
  mrk: 'a marker',
  aud: 'an audit record',
  ses: 'a session',
  lnk: 'a sign-in link',
} as const;

export type IdPrefix = keyof typeof ID_PREFIXES;

const HEX = /^[0-9a-f]{32}$/;

/**
 * A new id, `<prefix>_<uuidv7 without dashes>`. It reads the clock and random numbers, so pass this function in where ids
 * are needed.
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${uuidv7obj().toHex()}`;
}

/** Whether `text` has the form of an id with that prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return (
    text.length === prefix.length + 33 &&
    text.startsWith(`${prefix}_`) &&
    HEX.test(text.slice(prefix.length + 1))
  );
}

/** The schema of an id in responses. */
export function idSchema(prefix: IdPrefix) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-f]{32}$`))
    .meta({
      description: `Identifier of ${ID_PREFIXES[prefix]}.`,
      examples: [`${prefix}_0197f3a1c0de7b3c9a51d2e4f6a80b1c`],
    });
}
