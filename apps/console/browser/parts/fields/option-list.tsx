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
