import type { FaultCase } from '../fault-case.ts';
import { evaluatorKilled, writerKilled } from './consumer-killed.ts';
import { gatewayKilled } from './gateway-killed.ts';
import { noFault } from './no-fault.ts';

const CASES = [gatewayKilled, writerKilled, evaluatorKilled];

/** Several faults at once on one installation, followed by one comparison. Each fault affects processes of its own. */
export const selection: FaultCase = {
  id: 'selection',
  fault: 'gateway, writer and evaluator killed at named and at random moments',
  failpoints: [...CASES, noFault].flatMap(({ failpoints }) => failpoints),
  async run(context) {
    await Promise.all(CASES.map((fault) => fault.run(context)));
  },
  ...(noFault.afterwards && { afterwards: noFault.afterwards }),
};
