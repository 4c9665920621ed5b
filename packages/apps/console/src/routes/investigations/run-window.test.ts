import { expect, it } from 'vitest';
import { runAgainInput, type WindowChoice, windowOf } from './run-window.ts';

const FROM = '2026-11-26T02:00:00.000Z';
const TO = '2026-11-26T03:00:00.000Z';
const NOW = Date.parse('2026-11-26T08:30:00.000Z');
const CUSTOM = { from: 1, to: 2 };

it.each<[WindowChoice, string, string]>([
  ['same', FROM, TO],
  ['longer', '2026-11-26T01:00:00.000Z', TO],
  ['recent', '2026-11-26T07:30:00.000Z', '2026-11-26T08:30:00.000Z'],
  ['custom', '1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.002Z'],
])('the window "%s" is from %s to %s', (choice, from, to) => {
  const window = windowOf(choice, { from: FROM, to: TO }, CUSTOM, NOW);
  expect([window.from, window.to].map((ms) => new Date(ms).toISOString())).toEqual([from, to]);
});

it('a window twice as long is a day long at most', () => {
  const { from, to } = windowOf('longer', { from: '2026-11-25T09:00:00.000Z', to: TO }, CUSTOM, NOW);
  expect(to - from).toBe(86_400_000);
});

it('asks about the alert where there is one, and otherwise about the host and its metric', () => {
  const window = { from: Date.parse(FROM), to: Date.parse(TO) };
  const of = { alert_ids: ['alr_1', 'alr_2'], service_id: 'svc_1', metric: 'cpu_percent' };
  expect(runAgainInput(of, window, ' Why? ')).toEqual({
    alert_id: 'alr_1',
    service_id: null,
    metric: null,
    from: FROM,
    to: TO,
    question: 'Why?',
  });
  expect(runAgainInput({ ...of, alert_ids: [] }, window, ' ')).toMatchObject({
    alert_id: null,
    service_id: 'svc_1',
    metric: 'cpu_percent',
    question: null,
  });
});
