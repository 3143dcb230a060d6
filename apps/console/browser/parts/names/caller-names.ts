import { useSession } from "../page/session-context.tsx";
import { useCall } from "../call/use-call.ts";

/** What people called keys and applications, by id. Who may not list them reads ids. */
export function useCallerNames(): ReadonlyMap<string, string> {
  const { permission } = useSession();
  const isWanted = permission === "admin";
  const keys = useCall({ operationId: "listApiKeys" }, { isWanted, isWhole: true, everyMs: 0 });
  const applications = useCall(
    { operationId: "listOauthApplications", query: { limit: 100 } },
    { isWanted, everyMs: 0 },
  );
  return new Map([...(keys.data?.data ?? []), ...(applications.data?.data ?? [])].map(({ id, name }) => [id, name]));
}
