import { createContext, useContext } from "react";
import { whyNot } from "../../data/permissions.ts";
import type { OperationId } from "../../data/operation-row.ts";
import type { SessionInfo } from "../../data/session.ts";

const SessionContext = createContext<SessionInfo | null>(null);

export const SessionProvider = SessionContext;

/** Who is signed in; only inside the shell, which asks first. */
export function useSession(): SessionInfo {
  const session = useContext(SessionContext);
  if (session === null) {
    throw new Error("This part of the page is shown to people who are signed in.");
  }
  return session;
}

/** Also for what is shown to nobody in particular: null while nobody is signed in. */
export function useKnownSession(): SessionInfo | null {
  return useContext(SessionContext);
}

/** Null: they may. Otherwise the reason, in words. */
export function useWhyNot(operationId: OperationId): string | null {
  return whyNot(useSession(), operationId);
}
