import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { describe, faultsOf } from './verdict.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    lanes: { type: 'string', default: '16' },
  },
});
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
console.log(`seed ${seed}`);
const ended = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort());
const { signal } = ended;
const lanes = Number(values.lanes);
const result = await fuzz({ requests: Number(values.requests), seed, lanes, signal });
console.log(describe(result));
const faults = faultsOf(result);
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
