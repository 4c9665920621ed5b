import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from '@tidewatch/writer/config';
import { openOwnProcess } from '@tidewatch/writer/own-process';

const { TIDEWATCH_TEST_SEAL_MS: sealMs } = process.env;
await runService({
  name: 'writer',
  title: 'Stores samples, and seals a log of them every TIDEWATCH_TEST_SEAL_MS.',
  settings: processSettings,
  process,
  open: (parts) => openOwnProcess(parts, sealMs ? { sealIntervalMs: Number(sealMs) } : {}),
});
