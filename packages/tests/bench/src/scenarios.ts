import type { Scenario } from './scenario.ts';
import { agentState } from './scenarios/agents/agent-state.ts';
import { agents } from './scenarios/agents/agents.ts';
import { chunks } from './scenarios/chunks/chunks.ts';
import { consoleBudgets } from './scenarios/console/console.ts';
import { delivery } from './scenarios/delivery.ts';
import { events } from './scenarios/events.ts';
import { flush } from './scenarios/flush.ts';
import { hostile } from './scenarios/hostile.ts';
import { instances } from './scenarios/instances.ts';
import { investigation } from './scenarios/investigation/investigation.ts';
import { keys } from './scenarios/keys.ts';
import { lists } from './scenarios/lists/lists.ts';
import { live } from './scenarios/live.ts';
import { peers } from './scenarios/peers.ts';
import { preview } from './scenarios/preview/preview.ts';
import { reading } from './scenarios/reading/reading.ts';
import { kill } from './scenarios/replay/kill.ts';
import { fleet, parts, replay, rich, single } from './scenarios/replay/replay.ts';
import { scaling } from './scenarios/replay/scaling.ts';
import { rest } from './scenarios/rest.ts';
import { storm } from './scenarios/storm.ts';

/** Every scenario by its name, in the order of `--help`. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  replay,
  single,
  rich,
  parts,
  fleet,
  live,
  delivery,
  instances,
  storm,
  lists,
  preview,
  reading,
  keys,
  kill,
  hostile,
  events,
  rest,
  scaling,
  investigation,
  flush,
  console: consoleBudgets,
  agents,
  'agent-state': agentState,
  chunks,
  peers,
};
