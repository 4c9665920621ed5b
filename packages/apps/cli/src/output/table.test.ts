import { describe, expect, it } from 'vitest';
import { elastic, formatTable, numeric } from './table.ts';

const COLUMNS = ['ID', numeric('N'), elastic('SUMMARY')];
const lines = (text: string) => text.split('\n').slice(0, -1);

describe('formatTable', () => {
  it('makes columns as wide as their widest cells and trims line ends', () => {
    const rows = [
      ['a', '1', 'short'],
      ['long-id', '100', ''],
    ];
    expect(lines(formatTable(COLUMNS, rows, null))).toEqual([
      'ID         N  SUMMARY',
      'a          1  short',
      'long-id  100',
    ]);
  });

  it('truncates only elastic columns on a narrow terminal', () => {
    const text = 'web-01: cpu_percent is 95 %, above 90 %.';
    expect(lines(formatTable(COLUMNS, [['alr_0123456789', '1', text]], 40))[1]).toBe(
      'alr_0123456789  1  web-01: cpu_percent …',
    );
    expect(lines(formatTable(COLUMNS, [['alr_0123456789', '1', text]], 5))[1]).toBe(
      'alr_0123456789  1  web-01:…',
    );
  });

  it('measures the displayed width of text, also of wide characters and colours', () => {
    const rows = [
      ['日本', '1', 'x'],
      ['abcd', '2', 'y'],
      [{ text: 'red', paint: (text: string) => `<${text}>` }, '3', 'z'],
    ];
    expect(lines(formatTable(COLUMNS, rows, null)).slice(1)).toEqual([
      '日本  1  x',
      'abcd  2  y',
      '<red>   3  z',
    ]);
    expect(lines(formatTable([elastic('T')], [['日本語日本語']], 8))[1]).toBe('日本語…');
  });

  it('escapes characters that would move the cursor', () => {
    expect(formatTable(['HOST'], [['\u001b[2Jx\ny']], null)).toBe('HOST\n\\u001b[2Jx\\u000ay\n');
  });
});
