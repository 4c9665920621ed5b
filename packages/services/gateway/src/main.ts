import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openOwnProcess } from './own-process.ts';

await runService({
  name: 'gateway',
  title: 'Takes payloads in and publishes them to Kafka.',
  settings: processSettings,
  process,
  open: openOwnProcess,
});
