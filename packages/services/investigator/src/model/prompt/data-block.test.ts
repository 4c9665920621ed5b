import { cleanText } from '@tidewatch/domain/prompt-text/clean-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataBlock } from './data-block.ts';

describe('dataBlock', () => {
  it('has exactly one end for any names, and contains the data as JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const host = cleanText(name, 160);
        const { name: mark, text } = dataBlock({ host, name });
        const [first, json = '', last, ...more] = text.split('\n');
        expect([first, last, more]).toEqual([`<${mark}>`, `</${mark}>`, []]);
        expect(json).not.toMatch(/[<>]/);
        expect(JSON.parse(json)).toEqual({ host, name });
        expect([...host].length).toBeLessThanOrEqual(160);
      }),
      { numRuns: 30 },
    );
  });

  it('is delimited by a mark that depends on its content', () => {
    expect(dataBlock({ a: 1 })).toEqual(dataBlock({ a: 1 }));
    expect(dataBlock({ a: 1 }).name).not.toBe(dataBlock({ a: 2 }).name);
  });
});
