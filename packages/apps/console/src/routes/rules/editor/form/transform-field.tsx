import { Select } from '../../../../components/select.tsx';
import { Field, NumberField } from '../../../../form/fields.tsx';
import { useForm } from '../../../../form/form-state.ts';

const KINDS = [
  ['', 'the sample itself'],
  ['average', 'mean over a window'],
  ['minimum', 'minimum over a window'],
  ['maximum', 'maximum over a window'],
  ['change', 'change over a window'],
  ['rate_per_minute', 'change a minute over a window'],
  ['forecast', 'forecast from a window'],
] as const;

/** The value that is evaluated: the sample, or one that is derived from the samples of a window. */
export function TransformField() {
  const { draft, change } = useForm();
  const transform = draft['transform'] as { kind?: string; over_minutes?: unknown } | null | undefined;
  const kind = transform?.kind ?? '';
  return (
    <>
      <Field path="/transform" label="Value" ownsMembers={kind === ''}>
        {({ id, describedBy }) => (
          <Select
            id={id}
            aria-describedby={describedBy}
            value={kind}
            options={KINDS}
            onChange={(value) => {
              const over_minutes = transform?.over_minutes ?? 10;
              if (value === '') change('/transform', null);
              else if (value === 'forecast')
                change('/transform', { kind: 'forecast', over_minutes, ahead_minutes: 240 });
              else change('/transform', { kind: value, over_minutes });
            }}
          />
        )}
      </Field>
      {kind !== '' && <NumberField path="/transform/over_minutes" label="Window" unit="min" />}
      {kind === 'forecast' && <NumberField path="/transform/ahead_minutes" label="Ahead" unit="min" />}
    </>
  );
}
