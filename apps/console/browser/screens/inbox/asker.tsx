import type { DataOf } from "../../data/calls.ts";
import { useSession } from "../../parts/page/session-context.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { Who } from "../../parts/names/who.tsx";

type By = DataOf<"getTransfer">["initiatedBy"];

export type KnownAsker = {
  by: By;
  /** They asked themselves, or a key that they made did: they may reject it, and not approve it. */
  isSelf: boolean;
  madeBySelf: boolean;
};

/** The one who asked for a transfer; undefined while it is not known. The gateway follows keys made by keys. */
export function useAsker(by: By | undefined): KnownAsker | undefined {
  const { person: self, permission } = useSession();
  const maySee = permission === "admin";
  const key = useCall(
    { operationId: "getApiKey", path: { apiKeyId: by?.id ?? "" } },
    { isWanted: maySee && by?.kind === "apiKey" },
  ).data?.data;
  return (
    by && {
      by,
      isSelf: by.id === self.id,
      madeBySelf: key?.createdBy?.id === self.id,
    }
  );
}

export function Asker({ asker: { by, isSelf, madeBySelf } }: { asker: KnownAsker }) {
  return (
    <span>
      <Who who={by} />
      {isSelf && ", you"}
      {madeBySelf && ", which you made"}
    </span>
  );
}
