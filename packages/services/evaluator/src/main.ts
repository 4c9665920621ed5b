import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openOwnProcess } from './own-process.ts';

await runService({
  name: 'evaluator',
  title: 'Evaluates samples by rules, silence and missing data, and emits events.',
  settings: processSettings,
  process,
  open: openOwnProcess,
});
