import './zod-jitless.ts';
import { useQuery } from '@tanstack/react-query';
import { ruleFields } from '@tidewatch/contracts/rules/rule';
import { PageHeader } from '../../../components/page-header.tsx';
import { Problem } from '../../../components/problem.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { usePageSearch } from '../../page-state.ts';
import { readRule } from '../read-rules.ts';
import { copyOf, draftOf, NEW_RULE } from './draft.ts';
import { RuleEditor } from './rule-editor.tsx';

/** A new rule: from nothing, as a copy, or for a metric. */
export function NewRulePage() {
  const { copy, metric } = usePageSearch('newRule');
  const { data, error, refetch } = useQuery({
    queryKey: ['rule', copy],
    enabled: copy !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => readRule(copy ?? '', signal),
  });
  const initial =
    copy === undefined
      ? { ...NEW_RULE, ...(metric !== undefined && { metric }) }
      : data && copyOf(draftOf(data.rule, Object.keys(ruleFields)));
  return (
    <>
      <PageHeader title="New rule" />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {initial === undefined ? (
        !error && <Skeleton lines={8} height={32} />
      ) : (
        <RuleEditor key={copy ?? ''} initial={initial} stored={null} />
      )}
    </>
  );
}
