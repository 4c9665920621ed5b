import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { useId, useState } from 'react';
import { api } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog/dialog.tsx';
import { Problem } from '../../../components/problem.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { readRules } from '../read-rules.ts';
import styles from './import.module.css';
import { type ImportPlan, importPlan } from './import-plan.ts';
import { readDocument, withOptions } from './rule-document.ts';

/** Names of a list that are shown; more are counted. */
const MAX_NAMED = 20;

/** Makes the rules those of a document, after a dry run has shown what would change. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const id = useId();
  const [text, setText] = useState('');
  const [prune, setPrune] = useState(false);
  const document = text.trim() === '' ? null : readDocument(text);
  const check = useMutation({ mutationFn: () => dryRun(text, prune) });
  const apply = useMutation({
    mutationFn: () => send(withOptions(text, { prune, dryRun: false })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['rules'] });
      void client.invalidateQueries({ queryKey: ['rule'] });
      onClose();
    },
  });
  const change = (next: () => void) => {
    check.reset();
    apply.reset();
    next();
  };
  const plan = check.data;
  const isNothing =
    plan !== undefined && plan.created.length + plan.updated.length + plan.deleted.length === 0;
  return (
    <Dialog
      title="Import rules"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button
            kind={plan === undefined ? 'primary' : 'plain'}
            disabled={document?.kind !== 'document'}
            isBusy={check.isPending}
            busy="Checking …"
            onClick={() => check.mutate()}
          >
            Dry run
          </Button>
          <Button
            kind={plan?.deleted.length ? 'danger' : plan === undefined ? 'plain' : 'primary'}
            disabled={plan === undefined || isNothing}
            isBusy={apply.isPending}
            busy="Importing …"
            onClick={() => apply.mutate()}
          >
            {plan?.deleted.length ? `Import and delete ${plan.deleted.length}` : 'Import'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <p>
        The document that “Export YAML” makes: rules are known by their <code>external_id</code>, and sending
        the same again changes nothing.
      </p>
      <div className={styles['field']}>
        <label htmlFor={`${id}-file`}>File</label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".yaml,.yml,.json,application/yaml,application/json"
          onChange={async ({ target }) => {
            const read = await target.files?.[0]?.text();
            if (read !== undefined) change(() => setText(read));
          }}
        />
      </div>
      <div className={styles['field']}>
        <label htmlFor={`${id}-text`}>Document</label>
        <textarea
          id={`${id}-text`}
          rows={8}
          spellCheck={false}
          value={text}
          aria-invalid={document?.kind === 'fault'}
          aria-describedby={document?.kind === 'fault' ? `${id}-fault` : undefined}
          onChange={({ target }) => change(() => setText(target.value))}
        />
        {document?.kind === 'fault' && (
          <p id={`${id}-fault`} className={styles['fault']}>
            {visibleText(document.message)}
          </p>
        )}
      </div>
      <label className={styles['check']}>
        <input
          type="checkbox"
          checked={prune}
          onChange={({ target }) => change(() => setPrune(target.checked))}
        />
        Delete rules with an external id that the document does not have
      </label>
      {plan !== undefined && <Plan plan={plan} />}
      {(check.error ?? apply.error) && <Problem error={check.error ?? apply.error} />}
    </Dialog>
  );
}

function Plan({ plan: { created, updated, deleted, unchanged } }: { plan: ImportPlan }) {
  return (
    <section aria-label="What the import changes" className={styles['plan']}>
      <Names word="Creates" names={created} />
      <Names word="Updates" names={updated} />
      <Names word="Deletes" names={deleted} />
      {unchanged > 0 && (
        <p>{unchanged === 1 ? '1 rule stays as it is.' : `${unchanged} rules stay as they are.`}</p>
      )}
      {created.length + updated.length + deleted.length === 0 && <p>Nothing would change.</p>}
    </section>
  );
}

function Names({ word, names }: { word: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  const shown = names.slice(0, MAX_NAMED).map(visibleText).join(', ');
  return (
    <p>
      <strong>
        {word} {names.length}:
      </strong>{' '}
      {shown}
      {names.length > MAX_NAMED && `, and ${names.length - MAX_NAMED} more`}
    </p>
  );
}

async function dryRun(text: string, prune: boolean): Promise<ImportPlan> {
  const document = readDocument(text);
  if (document.kind === 'fault') throw new Error(document.message);
  const [changes, known] = await Promise.all([
    send(withOptions(text, { prune, dryRun: true })),
    readRules({ q: undefined, severity: undefined }),
  ]);
  return importPlan(changes, document.rules, known);
}

/** Sends the document as it was written, so that the API reads it by its own rules. */
async function send(document: string): Promise<Schema<'RuleSetChanges'>> {
  return await api.put('/api/v1/alerts/rules', {
    body: document as never,
    bodySerializer: (body: unknown) => String(body),
    headers: { 'Content-Type': 'application/yaml' },
  });
}
