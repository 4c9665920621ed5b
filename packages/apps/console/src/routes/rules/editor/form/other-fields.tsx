import { ruleFields } from '@tidewatch/contracts/rules/rule';
import type { z } from 'zod';
import { Field, NumberField, TextField } from '../../../../form/fields.tsx';
import { useForm } from '../../../../form/form-state.ts';
import styles from '../editor.module.css';
import { FORM_FIELDS } from './form-fields.ts';

/** Fields of the schema that the form has no place for, by their types, with the help of the schema. */
export function OtherFields() {
  const others = Object.entries(ruleFields).filter(([name]) => !FORM_FIELDS.has(name));
  return (
    <details className={styles['other']}>
      <summary>Other</summary>
      {others.map(([name, schema]) => (
        <OtherField key={name} name={name} schema={schema as z.ZodType} />
      ))}
    </details>
  );
}

function OtherField({ name, schema }: { name: string; schema: z.ZodType }) {
  const { draft, change } = useForm();
  const path = `/${name}`;
  const help = (schema.meta() as { description?: string } | undefined)?.description;
  const kind = kindOf(schema);
  if (kind === 'number') return <NumberField path={path} label={name} help={help} />;
  if (kind === 'string') return <TextField path={path} label={name} help={help} isNullable />;
  if (kind === 'boolean')
    return (
      <Field path={path} label={name} help={help}>
        {({ id, describedBy }) => (
          <input
            id={id}
            type="checkbox"
            className={styles['box']}
            aria-describedby={describedBy}
            checked={draft[name] !== false}
            onChange={({ target }) => change(path, target.checked)}
          />
        )}
      </Field>
    );
  return (
    <Field path={path} label={name} help={help}>
      {() => <code>{JSON.stringify(draft[name] ?? null)}</code>}
    </Field>
  );
}

/** The type of the values of a schema, without null and defaults around it. */
function kindOf(schema: z.ZodType): string {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType } };
  return def.innerType === undefined ? def.type : kindOf(def.innerType);
}
