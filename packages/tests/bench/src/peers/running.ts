import type { ComparedSystem, RuleSet, RunningSystem } from './system.ts';

const running = new Set<RunningSystem>();

/** Starts a system, measures it with `work`, and removes it whatever happens. */
export async function withSystem<Figures>(
  compared: ComparedSystem,
  rules: RuleSet | null,
  work: (system: RunningSystem) => Promise<Figures>,
): Promise<Figures> {
  const system = await compared.start(rules);
  running.add(system);
  try {
    return await work(system);
  } finally {
    running.delete(system);
    await system.remove();
  }
}

/** Removes what runs, for a run that is interrupted. */
export async function removeRunning(): Promise<void> {
  await Promise.all([...running].map((system) => system.remove()));
}
