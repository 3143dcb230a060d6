import { NameLink, nounOf } from "./names.tsx";

type Actor = {
  id: string | null;
  /** The kind of the actor, as operations call it: `apiKey`, `person`, `system`. */
  type?: string;
  kind?: string;
  applicationId?: string | null;
  personId?: string | null;
};

/** The actor who did or requested something. The kind precedes the name; for a person only with `hasKind`. */
export function Who({ who, hasKind = false }: { who: Actor | null; hasKind?: boolean }) {
  const kind = who?.type ?? who?.kind ?? "unknown";
  if (who === null || who.id === null) {
    return <span>{kind}</span>;
  }
  const { id, applicationId, personId } = who;
  const noun = nounOf(id);
  return (
    <span>
      {(hasKind || noun !== "person") && `${kind === "apiKey" ? "key" : kind} `}
      {noun === null ? <code>{id}</code> : <NameLink noun={noun} id={id} />}
      {applicationId && applicationId !== "console" && (
        <>
          {" "}
          by <NameLink noun="application" id={applicationId} />
        </>
      )}
      {personId && personId !== id && (
        <>
          {" "}
          for <NameLink noun="person" id={personId} />
        </>
      )}
    </span>
  );
}
