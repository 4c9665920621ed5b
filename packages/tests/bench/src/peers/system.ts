import type { PeerSystem } from '../bench-options.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Plan } from '../load/plan.ts';
import type { PlannedRule } from '../rules.ts';
import type { Encoder } from './encode.ts';
import type { HttpClient } from './http-client.ts';
import type { Answer, Question } from './questions/question.ts';

/** A product of the comparison: Tidewatch, or a peer that receives the same samples in its own format. */
export interface ComparedSystem {
  /** The name of the system in `--systems`. */
  id: PeerSystem;
  title: string;
  /** How durable a sample is when the system answers, with default settings. */
  durability: string;
  /** What evaluates the rules; null if no part of the system does. */
  evaluator: string | null;
  /** Says which program is missing and where it comes from; null if everything is there. */
  obstacle(withRules: boolean): string | null;
  /** Starts the system on fresh data with the settings it ships with. Rules are evaluated every `stepMs`. */
  start(rules: RuleSet | null): Promise<RunningSystem>;
}

export interface RuleSet {
  rules: readonly PlannedRule[];
  stepMs: number;
}

export interface Evaluations {
  /** Evaluations of a rule since the start. */
  done: number;
  /** Rounds that were left out because the one before was still running, and evaluations that failed. */
  missed: number;
}

export interface RunningSystem {
  version: string;
  http: HttpClient;
  /** The path that takes samples, and the headers of its requests. */
  ingest: { path: string; headers: Record<string, string> };
  encoder(plan: Plan): Encoder;
  /** CPU-seconds of all processes since the start, those included that have ended. */
  cpuSeconds(): number;
  /** The sum of the peaks of memory of all processes, bytes; pages that processes share count once where the kernel says so. */
  peakBytes(): number;
  /** Null for a system that does not count its evaluations. */
  evaluations(): Promise<Evaluations | null>;
  /** The firing alerts, as `alertName` writes them. */
  firing(): Promise<Set<string>>;
  /**
   * Waits until everything that the samples cause is done: flushes, merges, rollups, vacuum. Rules are no longer evaluated
   * where a process of its own does that. Returns the CPU-seconds at that time.
   */
  rest(): Promise<number>;
  /** Bytes on disk: of what is stored, and together with logs for recovery. Call `rest` before. */
  bytes(): Promise<{ data: number; withLog: number }>;
  /** Compares what is stored with what was acknowledged; returns the differences in words. */
  compare(plan: Plan, ledger: Ledger): Promise<string[]>;
  /** Fetches the answer to a question, to the last byte. */
  ask(question: Question): Promise<readonly Buffer[]>;
  parse(question: Question, answer: readonly Buffer[]): Answer;
  /** Ends all processes and removes the data. */
  remove(): Promise<void>;
}

/** Names an alert instance in the same way for every system. */
export function alertName(rule: string, host: string): string {
  return `${rule} on ${host}`;
}
