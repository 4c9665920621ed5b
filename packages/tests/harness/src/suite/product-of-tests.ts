import { runStandalone } from '@tidewatch/standalone/run-standalone';
import { layoutOf } from './sample-layout.ts';

// Runs the single-process product with samples in the layout TIDEWATCH_TEST_SAMPLE_LAYOUT, sealed every TIDEWATCH_TEST_SEAL_MS.
const { TIDEWATCH_TEST_SAMPLE_LAYOUT: given, TIDEWATCH_TEST_SEAL_MS: sealMs } = process.env;
const layout = layoutOf(given);
await runStandalone(process, {
  prepare: async ({ asAdmin }) => {
    if (layout === undefined) return;
    await asAdmin(
      (sql) =>
        sql`update storage_backend set sample_layout = ${layout} where not exists (select from blocks)`,
    );
  },
  ...(sealMs ? { sealIntervalMs: Number(sealMs), upkeepAfterMs: 0 } : {}),
});
