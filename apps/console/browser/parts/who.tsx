import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

type Actor = { type: string; id: string | null; applicationId: string | null };

/** Who did something: a person and a key lead to where they are managed. */
export function Who({ who }: { who: Actor | null }) {
  if (who === null || who.id === null) {
    return <span>{who?.type ?? "unknown"}</span>;
  }
  const place = { apiKey: "/keys", person: "/people" }[who.type];
  return (
    <span>
      {who.type === "apiKey" ? "key" : who.type} {place ? <IdLink to={place} id={who.id} /> : <code>{who.id}</code>}
      {who.applicationId !== null && who.applicationId !== "console" && (
        <> by {<IdLink to="/applications" id={who.applicationId} />}</>
      )}
    </span>
  );
}

/** Who asked for a transfer: a person or a key, each where it is managed. */
export function Initiator({ by: { kind, id } }: { by: { kind: "apiKey" | "person"; id: string } }) {
  return (
    <span>
      {kind === "apiKey" ? "key" : "person"} <IdLink to={kind === "apiKey" ? "/keys" : "/people"} id={id} />
    </span>
  );
}

type IdLinkOptions = {
  to: string;
  id: string;
  search?: Readonly<Record<string, string>>;
  /** In its place, where many stand beside each other. */
  text?: ReactNode;
};

/** An id that leads to what it names. */
export function IdLink({ to, id, search = {}, text }: IdLinkOptions) {
  return (
    <Link to={to} search={{ ...search, open: id } as never} className="id-link">
      {text ?? <code>{id}</code>}
    </Link>
  );
}
