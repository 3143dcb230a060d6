import type { ItemOf } from "../../data/calls.ts";
import { shortId } from "../../data/short-id.ts";
import { NameLink, nounOf } from "../../parts/names/names.tsx";

type Logged = Pick<ItemOf<"listRequestLogs">, "caller" | "source">;
type Names = { names: ReadonlyMap<string, string> };

/** Who asked, by name where it is known. */
export function Caller({ caller, source, names }: Logged & Names) {
  const name = names.get(caller.id);
  return (
    <span className="cut log-caller" title={caller.id}>
      {source === "console" ? "console" : name === undefined ? <code>{shortId(caller.id)}</code> : <bdi>{name}</bdi>}
    </span>
  );
}

/** The same with where it leads. */
export function CallerLink({ caller: { kind, id, personId } }: Pick<Logged, "caller">) {
  const noun = nounOf(id);
  return (
    <span>
      {kind === "apiKey" ? "key" : kind} {noun === null ? <code>{id}</code> : <NameLink noun={noun} id={id} />}
      {personId !== null && personId !== id && (
        <>
          {" "}
          for <NameLink noun="person" id={personId} />
        </>
      )}
    </span>
  );
}
