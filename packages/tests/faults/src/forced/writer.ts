import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from '@tidewatch/writer/config';
import { openOwnProcess } from '@tidewatch/writer/own-process';
import { OWN_GROUP } from './own-group.ts';

const { TIDEWATCH_TEST_SEAL_MS: sealMs } = process.env;
await runService({
  name: 'writer',
  title: 'Stores samples, in a consumer group of its own.',
  settings: processSettings,
  process,
  open: (parts) =>
    openOwnProcess(parts, { groupSuffix: OWN_GROUP, ...(sealMs ? { sealIntervalMs: Number(sealMs) } : {}) }),
});
