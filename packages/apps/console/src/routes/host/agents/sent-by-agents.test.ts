import { expect, it } from 'vitest';
import { sentByAgents } from './sent-by-agents.ts';

const time = '2026-11-28T09:00:00.000Z';

it('says of each protocol what is stored, left out and refused, and nothing of our own agent', () => {
  const own = { kind: 'agent', name: 'tidewatch', labels: { version: '0.1.0' }, metrics: {}, time };
  const other = {
    kind: 'agent',
    name: 'remote_write',
    labels: { protocol: 'remote_write', left_out: 'information 4, not_a_number 2' },
    metrics: { stored_series: 330, left_out_series: 6, rejected_points: 3 },
    time,
  };
  expect(sentByAgents([own, other])).toEqual([
    {
      protocol: 'remote write',
      stored: 330,
      leftOut: 6,
      reasons: 'information 4, not a number 2',
      refused: 3,
      time,
    },
  ]);
});
