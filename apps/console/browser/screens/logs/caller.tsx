import type { ItemOf } from "../../data/calls.ts";
import { shortId } from "../../data/short-id.ts";
import { Name, nounOf } from "../../parts/names/names.tsx";

export function Caller({ caller: { id }, source }: Pick<ItemOf<"listRequestLogs">, "caller" | "source">) {
  const noun = nounOf(id);
  return (
    <span className="cut log-caller" title={id}>
      {source === "console" ? "console" : noun === null ? <code>{shortId(id)}</code> : <Name noun={noun} id={id} />}
    </span>
  );
}
