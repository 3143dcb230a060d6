import { createContext, useContext } from "react";
import { whyNot } from "../../data/permissions.ts";
import type { OperationId } from "../../data/calls.ts";
import type { SessionInfo } from "../../data/session.ts";

const SessionContext = createContext<SessionInfo | null>(null);

export const SessionProvider = SessionContext;

/** The session of the signed-in person. Only for parts inside the shell, which loads it first. */
export function useSession(): SessionInfo {
  const session = useContext(SessionContext);
  if (session === null) {
    throw new Error("This part of the page is shown to people who are signed in.");
  }
  return session;
}

/** The session, or null while no user is signed in. For parts that are shown in both cases. */
export function useKnownSession(): SessionInfo | null {
  return useContext(SessionContext);
}

/** Null when the person may call the operation. Otherwise the reason, in words. */
export function useWhyNot(operationId: OperationId): string | null {
  return whyNot(useSession(), operationId);
}
