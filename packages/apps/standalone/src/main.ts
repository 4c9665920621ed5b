import { runStandalone } from './run-standalone.ts';

await runStandalone(process);
