import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openService } from './service.ts';

await runService({
  name: 'gateway',
  title: 'Takes payloads in and publishes them to Kafka.',
  settings: processSettings,
  process,
  open: openService,
});
