import { Button, type ButtonProps } from './button.tsx';

/** A filter that no list offers, such as the one of a link; a press removes it. */
export function FilterChip({
  label,
  onRemove,
  ...rest
}: ButtonProps & { label: string; onRemove: () => void }) {
  return (
    <Button {...rest} onClick={onRemove} title="Remove this filter">
      {label} <span aria-hidden="true">×</span>
    </Button>
  );
}
