import { NameLink } from "./names.tsx";

type Actor = { type: string; id: string | null; applicationId: string | null };

/** Who did something: a person and a key lead to where they are managed. */
export function Who({ who }: { who: Actor | null }) {
  if (who === null || who.id === null) {
    return <span>{who?.type ?? "unknown"}</span>;
  }
  return (
    <span>
      {who.type === "apiKey" || who.type === "person" ? (
        <Initiator by={{ kind: who.type, id: who.id }} />
      ) : (
        <>
          {who.type} <code>{who.id}</code>
        </>
      )}
      {who.applicationId !== null && who.applicationId !== "console" && (
        <>
          {" "}
          by <NameLink noun="application" id={who.applicationId} />
        </>
      )}
    </span>
  );
}

/** Who asked for a transfer: a person or a key, each where it is managed. */
export function Initiator({ by: { kind, id } }: { by: { kind: "apiKey" | "person"; id: string } }) {
  return (
    <span>
      {kind === "apiKey" && "key "}
      <NameLink noun={kind} id={id} />
    </span>
  );
}
