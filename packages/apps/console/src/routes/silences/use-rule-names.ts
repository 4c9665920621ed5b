import { useQuery } from '@tanstack/react-query';
import { readRules } from '../rules/read-rules.ts';

/** All rules, by name. */
export function useRules() {
  return useQuery({ queryKey: ['rules', {}], queryFn: () => readRules({}), staleTime: 30_000 });
}

/** The name of a rule; its id while the rules are read, and where it was deleted. */
export function useRuleNames(): (id: string) => string {
  const { data = [] } = useRules();
  return (id) => data.find((rule) => rule.id === id)?.name ?? id;
}
