import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openService } from './open-service.ts';

await runService({
  name: 'query-api',
  title: 'Answers every question and writes rules.',
  settings: processSettings,
  process,
  open: openService,
});
