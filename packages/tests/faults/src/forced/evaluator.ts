import { processSettings } from '@tidewatch/evaluator/config';
import { openOwnProcess } from '@tidewatch/evaluator/own-process';
import { runService } from '@tidewatch/runtime/process/service-process';
import { OWN_GROUP } from './own-group.ts';

await runService({
  name: 'evaluator',
  title: 'Evaluates samples by rules, in a consumer group of its own.',
  settings: processSettings,
  process,
  open: (parts) => openOwnProcess(parts, OWN_GROUP),
});
