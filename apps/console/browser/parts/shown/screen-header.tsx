import { useEffect, type ReactNode } from "react";
import { StateLink } from "../page/address.tsx";

export function ScreenHeader({ title, about, actions }: { title: string; about?: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <header className="screen-header">
      <div>
        <h1>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </header>
  );
}

/** Views of one screen, each an address of its own: from its name in the address to its label. */
export function Tabs<Name extends string>({
  name = "view",
  tabs,
  current,
  kept = {},
}: {
  name?: string;
  tabs: Readonly<Record<Name, string>>;
  current: Name;
  kept?: Readonly<Record<string, string | undefined>>;
}) {
  return (
    <nav className="tabs" aria-label="Views">
      {Object.entries<string>(tabs).map(([value, label]) => (
        <StateLink
          key={value}
          search={{ ...kept, [name]: value }}
          activeProps={{}}
          aria-current={value === current ? "page" : undefined}
        >
          {label}
        </StateLink>
      ))}
    </nav>
  );
}
