import { Link } from "@tanstack/react-router";

/** Views of one screen, each an address of its own. */
export function Tabs({
  name,
  tabs,
  current,
  kept = {},
}: {
  name: string;
  tabs: readonly { value: string; label: string }[];
  current: string;
  /** Of the address, what goes along. */
  kept?: Readonly<Record<string, string | undefined>>;
}) {
  return (
    <nav className="tabs" aria-label="Views">
      {tabs.map(({ value, label }) => (
        <Link
          key={value}
          to="."
          search={{ ...kept, [name]: value } as never}
          activeProps={{}}
          aria-current={value === current ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
