import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import type { Rule } from '@tidewatch/contracts/rules/rule';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { AskDialog } from '../../components/dialog/ask-dialog.tsx';
import { MoreActions } from '../../components/more-actions/more-actions.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status, StatusShape } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { useVisited } from '../../palette/use-visited.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { isMissing, MissingObject } from '../missing-object.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageId } from '../page-state.ts';
import { readRule } from './read-rules.ts';
import { RuleActivity } from './rule-activity.tsx';
import { RuleTerms } from './rule-terms.tsx';
import { conditionText, worstSeverity } from './rule-words.ts';
import styles from './rules.module.css';

const POLL_MS = 10_000;

/** One rule: what it evaluates and for which hosts, its alerts, and what may be done with it. */
export function RulePage() {
  const id = usePageId();
  const { data, error, refetch } = useQuery({
    queryKey: ['rule', id],
    queryFn: ({ signal }) => readRule(id, signal),
    refetchInterval: POLL_MS,
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
  if (data === undefined)
    return (
      <>
        <PageHeader title="Rule" />
        {error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton lines={6} />}
      </>
    );
  return <LoadedRule rule={data.rule} etag={data.etag} error={error} />;
}

function LoadedRule({ rule, etag, error }: { rule: Rule; etag: string; error: unknown }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const { id } = rule;
  const edit = () => void navigate({ to: pathOf('editRule', { id }) });
  useShortcuts({ e: edit });
  useVisited('rule', id, rule.name);
  const toggle = useMutation({
    mutationFn: (enabled: boolean) =>
      api.patch('/api/v1/alerts/rules/{id}', {
        params: { path: { id }, header: { 'If-Match': etag } },
        body: { enabled },
        headers: { 'Content-Type': 'application/merge-patch+json' },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['rule', id] }),
  });
  const remove = useMutation({
    mutationFn: () =>
      api.delete('/api/v1/alerts/rules/{id}', { params: { path: { id }, header: { 'If-Match': etag } } }),
    onSuccess: async () => {
      await navigate({ to: pathOf('rules', {}) });
      await queryClient.invalidateQueries({ queryKey: ['rules'] });
    },
  });
  return (
    <>
      <PageHeader
        title={rule.name}
        before={<StatusShape status={worstSeverity(rule)} size={18} />}
        actions={
          <>
            <ScopedButton kind="primary" title="Shortcut: e" onClick={edit}>
              Edit
            </ScopedButton>
            <Button onClick={() => void navigate({ to: pathOf('newRule', {}, { copy: id }) })}>
              Duplicate
            </Button>
            <ScopedButton
              isBusy={toggle.isPending}
              busy={rule.enabled ? 'Turning off …' : 'Turning on …'}
              onClick={() => toggle.mutate(!rule.enabled)}
            >
              {rule.enabled ? 'Turn off' : 'Turn on'}
            </ScopedButton>
            <MoreActions>
              <ScopedButton kind="danger" onClick={() => setDeleting(true)}>
                Delete
              </ScopedButton>
            </MoreActions>
          </>
        }
      />
      {[error, toggle.error].map(
        // biome-ignore lint/suspicious/noArrayIndexKey: always these two
        (problem, index) => problem && <Problem key={index} error={problem} />,
      )}
      <div className={styles['rule']}>
        <p className={styles['lead']}>
          <Status status={worstSeverity(rule)} /> {conditionText(rule)}
        </p>
        <p>
          {!rule.enabled
            ? 'The rule is off and evaluates nothing.'
            : rule.mode === 'shadow'
              ? 'The rule is in shadow: it records alerts and notifies nobody.'
              : rule.state === 'firing'
                ? 'The rule is firing.'
                : rule.state === 'pending'
                  ? 'The condition holds on a host, but not yet for long enough.'
                  : 'Nothing is firing.'}
        </p>
        {rule.warnings.map(({ code, message }) => (
          <p key={`${code} ${message}`}>
            <Status status="warning">{message}</Status>
          </p>
        ))}
        {rule.external_id !== null && (
          <p>
            The rule is managed as <code>{rule.external_id}</code>: applying its file overwrites changes that
            are made here.
          </p>
        )}
        {rule.description && <p className={styles['description']}>{visibleText(rule.description)}</p>}
        <RuleTerms rule={rule} />
        <RuleActivity rule={rule} />
      </div>
      <AskDialog
        title={`Delete ${rule.name}`}
        action="Delete the rule"
        busy="Deleting …"
        acting={remove}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
      >
        <p>
          {rule.firing_count === 0
            ? 'No alert of the rule is active.'
            : `${rule.firing_count} active ${rule.firing_count === 1 ? 'alert resolves' : 'alerts resolve'} as “rule deleted”.`}{' '}
          Past alerts stay.
        </p>
      </AskDialog>
      <p className={styles['back']}>
        <PageLink page="rules">All rules</PageLink>
      </p>
    </>
  );
}
