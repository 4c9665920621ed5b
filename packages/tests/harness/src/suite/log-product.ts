import { runStandalone } from '@tidewatch/standalone/run-standalone';

// Runs the single-process product on a database that keeps samples as a log, sealed every TIDEWATCH_TEST_SEAL_MS.
const { TIDEWATCH_TEST_SEAL_MS: sealMs } = process.env;
await runStandalone(process, {
  prepare: ({ asAdmin }) =>
    asAdmin(async (sql) => {
      await sql`
        update storage_backend set sample_layout = 'log'
        where sample_layout = 'rows' and not exists (select 1 from blocks)`;
    }),
  ...(sealMs ? { sealIntervalMs: Number(sealMs) } : {}),
});
