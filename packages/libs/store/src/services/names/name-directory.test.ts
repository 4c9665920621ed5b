import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameDirectory } from './name-directory.ts';

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const name = fc.array(fc.constantFrom('a', 'B', 'b', '-', 'Ä', '\uffee', '😀'), { maxLength: 6 });
const names = fc.uniqueArray(
  name.map((letters) => letters.join('')),
  { maxLength: 30 },
);
const part = fc.array(fc.constantFrom('a', 'A', 'b', '-'), { minLength: 1, maxLength: 3 });

test('a directory finds the names that contain a part of ASCII letters in any case, in the order of bytes, also those added later', () => {
  fc.assert(
    fc.property(names, names, part, (first, all, letters) => {
      const q = letters.join('');
      const known = first.toSorted(byBytes);
      const added = all.filter((each) => !first.includes(each));
      const before = new NameDirectory(known, 1);
      const after = before.with(added, 2);
      const wanted = (of: readonly string[]) =>
        of.filter((each) => each.toLowerCase().includes(q.toLowerCase()));
      expect(before.containing(q)).toEqual(wanted(known));
      expect(after.containing(q)).toEqual(wanted([...known, ...added].sort(byBytes)));
      expect([after.size, after.newSince]).toEqual([known.length + added.length, 2]);
      expect(added.map((each) => [before.has(each), after.has(each)])).toEqual(
        added.map(() => [false, true]),
      );
    }),
    { numRuns: 300 },
  );
});
