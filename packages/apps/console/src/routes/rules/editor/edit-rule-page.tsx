import './zod-jitless.ts';
import { useQuery } from '@tanstack/react-query';
import { ruleFields } from '@tidewatch/contracts/rules/rule';
import { PageHeader } from '../../../components/page-header.tsx';
import { Problem } from '../../../components/problem.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { isMissing, MissingObject } from '../../missing-object.tsx';
import { PageLink } from '../../page-link.tsx';
import { usePageId } from '../../page-state.ts';
import { readRule } from '../read-rules.ts';
import { draftOf } from './draft.ts';
import { RuleEditor } from './rule-editor.tsx';

/** Changes a rule as it was read when the page opened: what others change meanwhile shows when it is saved. */
export function EditRulePage() {
  const id = usePageId();
  const { data, error, refetch } = useQuery({
    queryKey: ['rule-to-edit', id],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => readRule(id, signal),
  });
  if (data === undefined && isMissing(error))
    return (
      <MissingObject
        noun="rule"
        id={id}
        deletion="rule.deleted"
        list={<PageLink page="rules">Open the rules</PageLink>}
      />
    );
  return (
    <>
      <PageHeader title={data === undefined ? 'Edit rule' : `Edit rule ${data.rule.name}`} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={8} height={32} />
      ) : (
        <>
          {data.rule.external_id !== null && (
            <p>
              The rule is managed as <code>{data.rule.external_id}</code>: applying its file overwrites these
              changes.
            </p>
          )}
          <RuleEditor key={id} initial={draftOf(data.rule, Object.keys(ruleFields))} stored={data} />
        </>
      )}
    </>
  );
}
