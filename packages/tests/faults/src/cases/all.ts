import type { FaultCase } from '../fault-case.ts';
import { brokerEmptied, brokerKilled, brokerStopped } from './broker.ts';
import { evaluatorsAway, gatewaysAway, serverClockSteps, wrongClients } from './clocks.ts';
import { answerLost, commitUnknown } from './connections.ts';
import { evaluatorKilled, writerKilled } from './consumer-killed.ts';
import { bothDisksFull, brokerDiskFull, databaseDiskFull } from './disk-full.ts';
import { gatewayKilled } from './gateway-killed.ts';
import { rebalances, sharedPartitions, takeover, zombies } from './groups.ts';
import {
  investigatedOnFullDisk,
  investigatedWithoutBackend,
  investigatedWithoutPostmaster,
} from './investigations.ts';
import { lateSamples } from './late.ts';
import { noFault } from './no-fault.ts';
import { poisonRecords } from './poison.ts';
import { backendKilled, postgresAway, postmasterImmediate, postmasterKilled } from './postgres.ts';
import { redisAway } from './redis.ts';
import { lateWhileDropped } from './retention.ts';
import { slowDatabase, tableLocked } from './slow-database.ts';
import { terminated } from './stopped.ts';
import { partitionsRaised, recordsDeleted } from './topics.ts';

/** Every case, in the order of the catalogue. */
export const CASES: readonly FaultCase[] = [
  noFault,
  gatewayKilled,
  writerKilled,
  evaluatorKilled,
  brokerKilled,
  brokerStopped,
  brokerEmptied,
  backendKilled,
  postmasterKilled,
  postmasterImmediate,
  postgresAway,
  redisAway,
  databaseDiskFull,
  brokerDiskFull,
  bothDisksFull,
  tableLocked,
  slowDatabase,
  poisonRecords,
  wrongClients,
  serverClockSteps,
  gatewaysAway,
  evaluatorsAway,
  lateSamples,
  rebalances,
  takeover,
  zombies,
  sharedPartitions,
  commitUnknown,
  answerLost,
  partitionsRaised,
  recordsDeleted,
  lateWhileDropped,
  terminated,
  investigatedWithoutBackend,
  investigatedWithoutPostmaster,
  investigatedOnFullDisk,
];
