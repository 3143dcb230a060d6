import { useId, useState, type ReactNode } from "react";

/** The attributes that connect an input with its label, hint and fault. */
export type InputAttributes = { id: string; "aria-invalid": boolean; "aria-describedby": string };

type Options = {
  label: ReactNode;
  fault: string | null;
  hint?: ReactNode;
  className?: string;
  beside?: ReactNode;
  children(attributes: InputAttributes): ReactNode;
};

export function FieldFrame({ label, fault, hint, className = "field", beside, children }: Options) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": fault !== null, "aria-describedby": `${id}-more` })}
      {beside}
      <Hint id={`${id}-more`} fault={fault} hint={hint} />
    </div>
  );
}

export function Hint({ id, fault, hint }: { id: string; fault: string | null; hint?: ReactNode }) {
  return (
    <p id={id} className={fault === null ? "hint" : "hint fault"}>
      {fault ?? hint}
    </p>
  );
}

type Option = { readonly value: string; readonly label?: string; readonly isDisabled?: boolean };

/** The options of a select. A chosen value that is not among them, such as one of an old address, is one more. */
export function OptionList({ of, chosen = "" }: { of: readonly Option[]; chosen?: string }) {
  const isKnown = chosen === "" || of.some(({ value }) => value === chosen);
  return (isKnown ? of : [...of, { value: chosen }]).map(({ value, label = value, isDisabled }: Option) => (
    <option key={value} value={value} disabled={isDisabled}>
      {label}
    </option>
  ));
}

type SelectOptions = {
  label: string;
  value: string;
  /** Set: the list would show other rows without it. */
  isActive?: boolean;
  onChange(value: string): void;
  children: ReactNode;
};

export function FilterSelect({ label, value, isActive = value !== "", onChange, children }: SelectOptions) {
  return (
    <select
      className="filter"
      aria-label={label}
      data-active={isActive}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
    </select>
  );
}

type FoldingOptions = { className: string; setCount: number; children: ReactNode };

/** Filters that a phone folds behind a button, which says how many are set. */
export function FoldingFilters({ className, setCount, children }: FoldingOptions) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={`${className} folding`} role="search" aria-label="Filters" data-open={isOpen}>
      <button type="button" className="button fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Filters{setCount > 0 && `, ${setCount} set`}
      </button>
      {children}
    </div>
  );
}
