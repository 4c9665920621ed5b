import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { type FormEvent, useId } from 'react';
import { api } from '../../../api/client.ts';
import { Problem } from '../../../components/problem.tsx';
import { Age } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { useKeptText } from '../../../form/kept-text.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import shared from '../../alerts/alert/alert-page.module.css';
import dialogStyles from '../../alerts/alert-dialogs.module.css';
import { type Investigation, investigationRead } from '../investigation-reads.ts';
import { useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';

type Input = Schema<'InvestigationFeedbackInput'>;

const MAX_TEXT = 2_000;

/** Whether the investigation helped, and what it really was. Later investigations of the same trouble name it. */
export function Feedback() {
  const { investigation } = useInvestigation();
  const { id, feedback } = investigation;
  const client = useQueryClient();
  const [cause, keepCause] = useKeptText(`feedback.cause.${id}`);
  const [comment, keepComment] = useKeptText(`feedback.comment.${id}`);
  const rate = useMutation({
    mutationFn: async (body: Input) =>
      (await api.post('/api/v1/investigations/{id}/feedback', {
        params: { path: { id } },
        body,
      })) as Investigation,
    onSuccess: (answer) => client.setQueryData(investigationRead(id).queryKey, answer),
  });
  /** A press on a button keeps the texts that are stored; what is typed is stored by "Save". */
  const press = (helpful: boolean) =>
    rate.mutate({
      helpful,
      actual_root_cause: feedback?.actual_root_cause ?? null,
      comment: feedback?.comment ?? null,
    });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (feedback === null || rate.isPending) return;
    const texts = {
      actual_root_cause: orNull(cause ?? feedback.actual_root_cause),
      comment: orNull(comment ?? feedback.comment),
    };
    rate.mutate(
      { helpful: feedback.helpful, ...texts },
      {
        onSuccess: () => {
          keepCause(null);
          keepComment(null);
        },
      },
    );
  };
  const isTyped = cause !== null || comment !== null;
  return (
    <section className={styles['feedback']} aria-label="Feedback" data-screen-only>
      <div className={styles['ask']}>
        <span>Did this investigation help?</span>
        <ScopedButton
          aria-pressed={feedback?.helpful === true}
          isBusy={rate.isPending && rate.variables.helpful && !isTyped}
          busy="Saving …"
          onClick={() => press(true)}
        >
          Helpful
        </ScopedButton>
        <ScopedButton
          aria-pressed={feedback?.helpful === false}
          isBusy={rate.isPending && !rate.variables.helpful && !isTyped}
          busy="Saving …"
          onClick={() => press(false)}
        >
          Not helpful
        </ScopedButton>
      </div>
      {feedback !== null && (
        <form onSubmit={save} className={dialogStyles['form']}>
          <p role="status" className={shared['muted']}>
            {feedback.helpful ? 'Helpful' : 'Not helpful'}, said {visibleText(feedback.by.name ?? 'somebody')}{' '}
            <Age at={feedback.at} /> ago
            {feedback.actual_root_cause !== null && (
              <>
                . Actual cause: <bdi>{visibleText(feedback.actual_root_cause)}</bdi>
              </>
            )}
          </p>
          <Field
            label="Actual cause"
            value={cause ?? feedback.actual_root_cause ?? ''}
            onChange={keepCause}
          />
          <Field label="Comment" value={comment ?? feedback.comment ?? ''} onChange={keepComment} />
          <div>
            <ScopedButton
              type="submit"
              disabled={!isTyped}
              isBusy={rate.isPending && isTyped}
              busy="Saving …"
            >
              Save
            </ScopedButton>
          </div>
        </form>
      )}
      {rate.error && <Problem error={rate.error} />}
    </section>
  );
}

function Field(props: { label: string; value: string; onChange: (text: string) => void }) {
  const { label, value, onChange } = props;
  const id = useId();
  return (
    <div className={dialogStyles['field']}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={MAX_TEXT}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

const orNull = (text: string | null) => (text === null || text.trim() === '' ? null : text.trim());
