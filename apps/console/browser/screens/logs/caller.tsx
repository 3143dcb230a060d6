import type { ItemOf } from "../../data/calls.ts";
import { shortId } from "../../data/short-id.ts";
import { IdLink } from "../../parts/who.tsx";

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
export function CallerLink({ caller, names }: Pick<Logged, "caller"> & Names) {
  const place = { apiKey: "/keys", application: "/applications", person: "/people" }[caller.kind as string];
  const name = names.get(caller.id);
  return (
    <span>
      {caller.kind === "apiKey" ? "key" : caller.kind}{" "}
      {name !== undefined && (
        <>
          <bdi>{name}</bdi>{" "}
        </>
      )}
      {place === undefined ? <code>{caller.id}</code> : <IdLink to={place} id={caller.id} />}
      {caller.personId !== null && caller.personId !== caller.id && (
        <>
          {" "}
          for <IdLink to="/people" id={caller.personId} />
        </>
      )}
    </span>
  );
}
