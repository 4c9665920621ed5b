import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openOwnProcess } from './own-process.ts';

await runService({
  name: 'query-api',
  title: 'Answers every question and writes rules.',
  settings: processSettings,
  process,
  open: openOwnProcess,
});
