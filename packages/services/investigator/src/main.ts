import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openService } from './service.ts';

await runService({
  name: 'investigator',
  title: 'Investigates the cause of alerts in stored data.',
  settings: processSettings,
  process,
  open: openService,
});
