import { useEffect, type ReactNode } from "react";

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
