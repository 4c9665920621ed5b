import { storeForFile } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';
import { contains } from './contains.ts';

const store = await storeForFile({ max: 1, searchPath: 'public' });

// U+212A and U+0130 are letters beyond ASCII whose lower case is in ASCII, or begins there.
const TEXTS = [
  'WEB-1',
  'web-2',
  'Bär',
  'BÄR',
  'ΣΊΣΥΦΟΣ',
  'kiosk',
  '\u212Aiosk',
  'I',
  '\u0130',
  'ı',
  '50%',
  'a_b',
  'ß',
  'ẞ',
  '',
];

it('a part of a text is found in any case, whether text and part have letters beyond ASCII or not', async () => {
  const { sql } = store;
  const parts = [...TEXTS, 'eb', 'ä', 'Ä', 'σ', 'ς', 'K', '\u212A', 'i', '%', '_', '\\'];
  for (const q of parts) {
    const found = await sql<{ text: string }[]>`
      select t.text from unnest(${TEXTS}::text[]) with ordinality t(text, place)
      where true ${contains(sql, q, { folded: sql`lower(t.text collate "C")`, text: sql`t.text` })} order by place`;
    const isAscii = [...q].every((letter) => letter < '\u0080');
    const fold = isAscii ? sql`"C"` : sql`"und-x-icu"`;
    const wanted = await sql<{ text: string }[]>`
      select t.text from unnest(${TEXTS}::text[]) with ordinality t(text, place)
      where strpos(lower(t.text collate ${fold}) collate "C", lower(${q}::text collate ${fold}) collate "C") > 0 order by place`;
    expect({ q, found: [...found] }).toEqual({ q, found: [...wanted] });
  }
});
