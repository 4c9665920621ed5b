import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { problemText } from '../../../components/problem-text.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { lazyPart } from '../../../upgrade/load-part.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { type Investigation, investigationRead } from '../investigation-reads.ts';
import { isUnderWay } from '../investigation-words.ts';
import { useInvestigation } from './investigation-context.ts';

const RunAgainDialog = lazyPart(() => import('./run-again-dialog.tsx'), 'RunAgainDialog');

/** Run it again, cancel it while it is under way, or print it. */
export function InvestigationActions() {
  const { investigation } = useInvestigation();
  const { id } = investigation;
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: async () =>
      (await api.post('/api/v1/investigations/{id}/cancel', { params: { path: { id } } })) as Investigation,
    onSuccess: (answer) => client.setQueryData(investigationRead(id).queryKey, answer),
  });
  return (
    <div className={shared['buttons']}>
      {isUnderWay(investigation) ? (
        <ScopedButton isBusy={cancel.isPending} busy="Cancelling …" onClick={() => cancel.mutate()}>
          Cancel
        </ScopedButton>
      ) : (
        <ScopedButton onClick={() => setAsking(true)}>Run again</ScopedButton>
      )}
      <Button onClick={() => print()}>Print</Button>
      {cancel.error && <span role="alert">{problemText(cancel.error).detail}</span>}
      <Suspense>{isAsking && <RunAgainDialog key={id} onClose={() => setAsking(false)} />}</Suspense>
    </div>
  );
}
