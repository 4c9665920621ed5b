import type { FaultCase } from '../fault-case.ts';
import { evaluatorsAway, gatewaysAway, serverClockSteps, wrongClients } from './clocks.ts';
import { evaluatorKilled, writerKilled } from './consumer-killed.ts';
import { answerLost, commitUnknown } from './database/connections.ts';
import { bothDisksFull, brokerDiskFull, databaseDiskFull } from './database/disk-full.ts';
import { backendKilled, postgresAway, postmasterImmediate, postmasterKilled } from './database/postgres.ts';
import { lateWhileDropped } from './database/retention.ts';
import { slowDatabase, tableLocked } from './database/slow-database.ts';
import { gatewayKilled } from './gateway-killed.ts';
import { rebalances, sharedPartitions, takeover, zombies } from './groups.ts';
import {
  investigatedOnFullDisk,
  investigatedWithoutBackend,
  investigatedWithoutPostmaster,
} from './investigations.ts';
import { brokerEmptied, brokerKilled, brokerStopped } from './kafka/broker.ts';
import { poisonRecords } from './kafka/poison.ts';
import { partitionsRaised, recordsDeleted } from './kafka/topics.ts';
import { lateSamples } from './late.ts';
import { noFault } from './no-fault.ts';
import { redisAway } from './redis.ts';
import { closedOnFullDisk, killedInClosing } from './sample-log/closing.ts';
import { convertedUnderLoad } from './sample-log/conversion.ts';
import { killedInSeal, serverKilledInSeal } from './sample-log/seals.ts';
import { sealStalled } from './sample-log/stalled.ts';
import { sealerTakenOver } from './sample-log/two-writers.ts';
import { terminated } from './stopped.ts';

/** All fault cases, in the order of the catalogue. */
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
  killedInSeal,
  serverKilledInSeal,
  sealStalled,
  sealerTakenOver,
  killedInClosing,
  closedOnFullDisk,
  convertedUnderLoad,
];
