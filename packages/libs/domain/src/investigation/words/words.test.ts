import { expect, it } from 'vitest';
import { clock, figure, roughly, span, valuesInWords } from './figures.ts';
import { escaped, plain, quoted, subjectInWords } from './names.ts';
import { shellQuoted } from './shell.ts';

it('names are shortened to one line, and quotation marks inside a name are replaced', () => {
  expect(plain('web-01')).toBe('web-01');
  expect(plain('a\nb\u202ec')).toBe('a b c');
  expect(plain('\u0000')).toBe('(no name)');
  expect(plain('x'.repeat(500))).toHaveLength(80);
  expect(quoted('say "hi"')).toBe('"say \'hi\'"');
  expect(subjectInWords({ kind: 'process', name: 'job' }, 'web-01')).toBe('process "job"');
  expect(subjectInWords({ kind: 'host', name: 'web-01' }, 'web-01')).toBe('web-01');
});

it.each([
  ['cpu_percent', 'cpu_percent'],
  ['_a_ b_', '\\_a\\_ b\\_'],
  ['![x](http://evil)', '\\!\\[x\\](http://evil)'],
  ['<img src=x> `rm` *a* #b |c| ~d~ \\', '\\<img src=x\\> \\`rm\\` \\*a\\* \\#b \\|c\\| \\~d\\~ \\\\'],
])('%s means itself in Markdown', (text, markdown) => {
  expect(escaped(text)).toBe(markdown);
});

it.each([
  ['api', "'api'"],
  ["it's", "'it'\\''s'"],
  ['$(reboot); `x` && y', "'$(reboot); `x` && y'"],
  ['a\nb', "'a b'"],
])('%j is one argument of a shell', (text, argument) => {
  expect(shellQuoted(text)).toBe(argument);
});

it('figures have units and three digits', () => {
  expect(figure('cpu_percent', 96.2987)).toBe('96.3 %');
  expect(figure('memory_rss', 3e8)).toBe('286.1 MiB');
  expect(figure('network_transmit_bytes_per_second', 1.25e8)).toBe('119.2 MiB/s');
  expect(figure('requests_per_second', 12_345.6)).toBe('12346 per second');
  expect(figure('latency_ms', Number.NaN)).toBe('no data');
  expect(roughly(34.7)).toBe('35');
  expect(roughly(1.234)).toBe('1.2');
  expect([0, 1, 2].map(valuesInWords)).toEqual(['0 values', '1 value', '2 values']);
});

it('times are shown with their date if it differs from that of the reference', () => {
  const noon = Date.UTC(2026, 4, 5, 12);
  expect(clock(noon - 60_000, noon)).toBe('11:59 UTC');
  expect(clock(noon - 86_400_000, noon)).toBe('2026-05-04 12:00 UTC');
  expect(span(61_400)).toBe('1 minute 1 second');
  expect(span(3_629_000)).toBe('1 hour');
});
