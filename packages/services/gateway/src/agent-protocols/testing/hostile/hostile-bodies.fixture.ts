import { BOMBS } from './bombs.fixture.ts';
import type { HostileBody } from './hostile-body.fixture.ts';
import { HOSTILE_DATADOG } from './hostile-datadog.fixture.ts';
import { HOSTILE_OTLP } from './hostile-otlp.fixture.ts';
import { HOSTILE_REMOTE_WRITE } from './hostile-remote-write.fixture.ts';
import { HOSTILE_TEXTS } from './hostile-texts.fixture.ts';

/** Bodies of every protocol of other agents that take as much time or memory as bodies can. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...BOMBS,
  ...HOSTILE_REMOTE_WRITE,
  ...HOSTILE_OTLP,
  ...HOSTILE_TEXTS,
  ...HOSTILE_DATADOG,
];
