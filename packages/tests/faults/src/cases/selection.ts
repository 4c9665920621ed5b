import type { FaultCase } from '../fault-case.ts';
import { evaluatorKilled, writerKilled } from './consumer-killed.ts';
import { gatewayKilled } from './gateway-killed.ts';
import { noFault } from './no-fault.ts';

const CASES = [gatewayKilled, writerKilled, evaluatorKilled];

/** A few faults one after the other on one installation, compared once. */
export const selection: FaultCase = {
  id: 'selection',
  fault: 'gateway, writer and evaluator killed at named and at random moments',
  failpoints: [...CASES, noFault].flatMap(({ failpoints }) => failpoints),
  async run(bed) {
    for (const fault of CASES) await fault.run(bed);
  },
  ...(noFault.afterwards && { afterwards: noFault.afterwards }),
};
