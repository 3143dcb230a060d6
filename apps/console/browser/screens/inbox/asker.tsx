import type { DataOf } from "../../data/calls.ts";
import { useSession } from "../../parts/session-context.tsx";
import { useCall } from "../../parts/use-call.ts";
import { IdLink } from "../../parts/who.tsx";

type By = DataOf<"getTransfer">["initiatedBy"];

export type KnownAsker = {
  by: By;
  /** As owners read it; null while it is not known, or for whoever may not see it. */
  name: string | null;
  /** They asked themselves, or a key that they made did: they may reject it, and not approve it. */
  isSelf: boolean;
  madeBySelf: boolean;
};

/** Who asked for a transfer. Undefined: it is not known yet which transfer. A key that a key made leads further, and the gateway follows it. */
export function useAsker(by: By | undefined): KnownAsker | undefined {
  const { person: self, permission } = useSession();
  const maySee = permission === "admin";
  const person = useCall(
    { operationId: "getPerson", path: { personId: by?.id ?? "" } },
    { isWanted: maySee && by?.kind === "person" },
  ).data?.data;
  const key = useCall(
    { operationId: "getApiKey", path: { apiKeyId: by?.id ?? "" } },
    { isWanted: maySee && by?.kind === "apiKey" },
  ).data?.data;
  return (
    by && {
      by,
      name: (by.kind === "apiKey" ? key?.name : (person?.name ?? person?.email)) ?? null,
      isSelf: by.id === self.id,
      madeBySelf: key?.createdBy?.id === self.id,
    }
  );
}

export function Asker({ asker: { by, name, isSelf, madeBySelf } }: { asker: KnownAsker }) {
  const isKey = by.kind === "apiKey";
  return (
    <span>
      {isKey ? "key" : "person"} {name !== null && <bdi>{name}</bdi>}{" "}
      <IdLink to={isKey ? "/keys" : "/people"} id={by.id} />
      {isSelf && ", you"}
      {madeBySelf && ", which you made"}
    </span>
  );
}
