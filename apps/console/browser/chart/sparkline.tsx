/** A trend without figures, which appear next to it. It has few bars, so it does not need a library. */
export function Sparkline({
  values,
  label,
  tone = "plain",
}: {
  values: readonly number[];
  label: string;
  tone?: "plain" | "bad";
}) {
  const highest = Math.max(1, ...values);
  return (
    <svg
      className={`sparkline ${tone}`}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * 4} 24`}
      preserveAspectRatio="none"
    >
      {values.map((value, place) => {
        const height = value === 0 ? 1 : Math.max(2, (value / highest) * 24);
        return (
          <rect
            key={place}
            className={value === 0 ? "none" : undefined}
            x={place * 4}
            width={3}
            y={24 - height}
            height={height}
          />
        );
      })}
    </svg>
  );
}
