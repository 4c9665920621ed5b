import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openOwnProcess } from './own-process.ts';

await runService({
  name: 'investigator',
  title: 'Investigates the cause of alerts in stored data.',
  settings: processSettings,
  process,
  open: openOwnProcess,
});
