import type { Draft } from '../../../form/form-state.ts';
import { lazyPart } from '../../../upgrade/load-part.ts';
import './zod-jitless.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiProblem, type Fault } from '@tidewatch/api-client/problem';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { type Rule, type RuleDefinition, ruleFields } from '@tidewatch/contracts/rules/rule';
import { readRuleInput } from '@tidewatch/contracts/rules/rule-input';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Problem } from '../../../components/problem.tsx';
import { FormContext, withValue } from '../../../form/form-state.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { useChannels } from '../channel-names.ts';
import { readRule, type VersionedRule } from '../read-rules.ts';
import { differences, draftOf, isSame } from './draft.ts';
import { discardDraft, type StoredDraft, storeDraft, storedDraft } from './draft-store.ts';
import styles from './editor.module.css';
import { RuleForm } from './form/rule-form.tsx';
import { OfferedDraft } from './offered-draft.tsx';
import { saveRule } from './save-rule.ts';

const FIELDS = Object.keys(ruleFields);

/** The form is usable before these are there. */
const RulePreview = lazyPart(() => import('./preview/rule-preview.tsx'), 'RulePreview');
const ConflictView = lazyPart(() => import('./conflict-view.tsx'), 'ConflictView');

interface RuleEditorProps {
  /** What the form begins with. */
  initial: Draft;
  /** The stored rule that is changed; null for a new one. */
  stored: VersionedRule | null;
}

/** The form of a rule with its preview. */
export function RuleEditor({ initial, stored }: RuleEditorProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const key = stored?.rule.id ?? 'new';
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<readonly Fault[]>([]);
  const [offered, setOffered] = useState<StoredDraft | null>(() => storedDraft(key));
  const [theirs, setTheirs] = useState<VersionedRule | null>(null);
  const { data: channels } = useChannels();
  const read = useMemo(
    () => readRuleInput(draft, new Set(channels?.map(({ id }) => id) ?? channelsOf(draft))),
    [draft, channels],
  );
  const rule = 'rule' in read ? read.rule : null;
  const isChanged = !isSame(draft, initial);

  useEffect(() => {
    if (isChanged) storeDraft(key, { draft, at: Date.now(), version: base?.rule.version ?? null });
  }, [draft, isChanged, key, base]);

  const save = useMutation({
    mutationFn: ({ mode, over }: { mode: RuleDefinition['mode']; over: VersionedRule | null }) =>
      saveRule({ ...draft, mode }, over, FIELDS),
    onSuccess: async ({ id }: Rule) => {
      discardDraft(key);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['rules'] }),
        queryClient.invalidateQueries({ queryKey: ['rule', id] }),
      ]);
      await navigate({ to: pathOf('rule', { id }) });
    },
    onError: async (error) => {
      if (!(error instanceof ApiProblem)) return;
      setRefused(error.errors);
      if (error.status === 412 && base !== null) setTheirs(await readRule(base.rule.id));
    },
  });
  const submit = (mode: RuleDefinition['mode']) => {
    setTouched(new Set(FIELDS));
    if (rule !== null) save.mutate({ mode, over: base });
  };
  const state = useMemo(() => {
    const found = 'errors' in read ? read.errors.filter(({ path }) => touched.has(fieldOf(path))) : [];
    return {
      draft,
      faults: [...found, ...refused.filter(({ path }) => !found.some((fault) => fault.path === path))],
      change(path: string, value: unknown) {
        setDraft((former) => withValue(former, path, value));
        setTouched((former) => new Set([...former, ...(path === '' ? [] : [fieldOf(path)])]));
        setRefused((former) => former.filter((fault) => fieldOf(fault.path) !== fieldOf(path)));
      },
    };
  }, [draft, read, touched, refused]);

  return (
    <FormContext value={state}>
      {offered !== null && (
        <OfferedDraft
          at={offered.at}
          isOutdated={offered.version !== (stored?.rule.version ?? null)}
          onContinue={() => {
            setDraft(offered.draft);
            setTouched(new Set(FIELDS));
            setOffered(null);
          }}
          onDiscard={() => {
            discardDraft(key);
            setOffered(null);
          }}
        />
      )}
      <form
        className={styles['editor']}
        onSubmit={(event) => {
          event.preventDefault();
          submit(stored?.rule.mode ?? 'active');
        }}
      >
        <div className={styles['column']}>
          <RuleForm />
          {touched.size === FIELDS.length && state.faults.length > 0 && (
            <p role="alert" className={styles['fault']}>
              {state.faults.length === 1
                ? 'A field has a fault: '
                : `${state.faults.length} fields have faults: `}
              {state.faults.map(({ path, message }) => `${path.slice(1) || 'rule'}: ${message}`).join(' ')}
            </p>
          )}
          {save.error && theirs === null && <Problem error={save.error} />}
          <div className={styles['actions']}>
            <ScopedButton
              title="Tries the rule out: it records alerts and notifies nobody"
              isBusy={save.isPending}
              busy="Saving …"
              onClick={() => submit('shadow')}
            >
              Save as shadow
            </ScopedButton>
            <ScopedButton
              kind="primary"
              isBusy={save.isPending}
              busy="Saving …"
              onClick={() => submit('active')}
            >
              Save
            </ScopedButton>
            <span className={styles['shadow']}>A shadow rule records alerts and notifies nobody.</span>
            {isChanged && (
              <Button
                onClick={() => {
                  discardDraft(key);
                  setDraft(initial);
                  setTouched(new Set());
                  setRefused([]);
                }}
              >
                Discard changes
              </Button>
            )}
          </div>
          <p className={styles['help']}>
            “Save as shadow” tries the rule out: it records alerts and notifies nobody, until it is saved with
            “Save”. What you type stays in this browser until it is saved or discarded.
          </p>
        </div>
        <Suspense>
          <RulePreview rule={rule} />
        </Suspense>
      </form>
      <Suspense>
        {theirs !== null && (
          <ConflictView
            differences={differences(draft, draftOf(theirs.rule, FIELDS)).filter(
              ({ field }) => field !== 'mode',
            )}
            version={theirs.rule.version}
            onOverwrite={() => {
              setBase(theirs);
              setTheirs(null);
              save.mutate({ mode: save.variables?.mode ?? 'active', over: theirs });
            }}
            onTheirs={() => {
              setBase(theirs);
              setDraft(draftOf(theirs.rule, FIELDS));
              setTheirs(null);
            }}
            onClose={() => setTheirs(null)}
          />
        )}
      </Suspense>
    </FormContext>
  );
}

function fieldOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Until the channels are read, those of the rule count as known. */
function channelsOf(draft: Draft): string[] {
  return Array.isArray(draft['channels']) ? draft['channels'] : [];
}
